export {
  type Estimate,
  type EstimateOptions,
  estimate,
  type Measurement,
  type MeasureOptions,
  measure,
  type StrategyMeasure,
} from './estimate.ts';
export type { ExplainedTool, Explanation } from './explain.ts';
export { createToolLayer, type KnownTools, type ToolLayer } from './layer.ts';
export {
  checkLayerOptionNames,
  isSettings,
  LAYER,
  LAYER_OPTIONS,
  OTHERS_SETTINGS,
  type SessionOptions,
  type ToolLayerOptions,
} from './options.ts';
export { Session } from './session.ts';
