export {
  type AutoOptions,
  chooseStrategy,
  epochTokens,
  type StrategyDecision,
  TYPICAL_GROUP,
  TYPICAL_SCHEMA,
} from './auto.ts';
export {
  type CatalogForm,
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
  type DeferredFacts,
  estimateCost,
  type Growth,
  type KnownPrices,
  type Means,
  pricesToCompare,
  TOKENS_PROCESSED,
  type Workload,
  workloadGrowth,
} from './cost.ts';
export { type Delivery, KnownDefinitions } from './deliveries.ts';
export {
  beginEpoch,
  type Epoch,
  type OwnTools,
  partition,
  type RefusedTool,
  refusalOf,
} from './epoch.ts';
export { type Chosen, EpochChoice } from './epoch-choice.ts';
export { contextOf, keepContext, type LayerContext, type SettingsCheck } from './layer-context.ts';
export {
  type Announcements,
  loadGroups,
  NO_ANNOUNCEMENTS,
  type Presentation,
  presentTurn,
} from './presentation.ts';
export { freeze, resumeState, type ToolState } from './state.ts';
export { isListed, listTools, WITH_OWN } from './tool-list.ts';
