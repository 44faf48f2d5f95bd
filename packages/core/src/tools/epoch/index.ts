export { type AutoOptions, chooseStrategy, type Decision } from './auto.ts';
export {
  type CatalogForm,
  type CatalogGroup,
  type CatalogLines,
  type CatalogOptions,
  hintOf,
  statusText,
} from './catalog.ts';
export {
  type CachePrices,
  type CostEstimate,
  DEFAULT_PRICES,
  DEFAULT_WORKLOAD,
  estimateCost,
  type Growth,
  type KnownPrices,
  pricesToCompare,
  TOKENS_PROCESSED,
  type Workload,
} from './cost.ts';
export { deferredTokens } from './deferred-tokens.ts';
export type { Delivery } from './delivery.ts';
export {
  beginEpoch,
  declarableOf,
  type Epoch,
  fixedTools,
  type OwnTools,
  partition,
  type RefusedTool,
  refusalOf,
} from './epoch.ts';
export { type Chosen, EpochChoice } from './epoch-choice.ts';
export { epochTokens } from './epoch-tokens.ts';
export { KnownDefinitions } from './known-definitions.ts';
export { contextOf, keepContext, type LayerContext, type SettingsCheck } from './layer-context.ts';
export type { Means } from './loads.ts';
export { resumeState } from './resume.ts';
export { freeze, type ToolState } from './state.ts';
export { describeChange, isListed, LIST_RESTORED, listTools } from './tool-list.ts';
export { type Deferred, workloadGrowth } from './workload.ts';
