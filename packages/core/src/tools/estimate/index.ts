export type { Decision } from '../epoch/index.ts';
export {
  type CachePrices,
  type CostEstimate,
  estimateCost,
  type Growth,
  type Workload,
} from '../epoch/index.ts';
export { type Estimate, type EstimateOptions, estimate } from './estimate.ts';
export { type Measurement, type MeasureOptions, measure, type StrategyMeasure } from './measure.ts';
