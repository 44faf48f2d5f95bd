export {
  type CachePrices,
  type CostEstimate,
  estimateCost,
  type Growth,
  type StrategyDecision,
  type Workload,
} from './request/index.ts';
export {
  type Estimate,
  type EstimateOptions,
  estimate,
  type Measurement,
  type MeasureOptions,
  measure,
  type StrategyMeasure,
} from './session/index.ts';
