export { type Estimate, type EstimateOptions, estimate } from './estimate.ts';
export { type Measurement, measure, type StrategyMeasure } from './measure.ts';
