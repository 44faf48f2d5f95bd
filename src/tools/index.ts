export type { ActiveNote, Offer } from './active.ts';
export type { AppendForm } from './append-form.ts';
export { type AutoOptions, chooseStrategy, DEFERRAL_THRESHOLD, type Decision } from './auto.ts';
export type { BridgeNames } from './bridges.ts';
export type { CatalogOptions } from './catalog.ts';
export {
  type CachePrices,
  type CostEstimate,
  DEFAULT_PRICES,
  DEFAULT_WORKLOAD,
  estimateCost,
  type Growth,
  type Load,
  type Task,
  type TaskRequest,
  type Workload,
} from './cost.ts';
export type { Delivery } from './deliveries.ts';
export type { Estimate, EstimateOptions } from './estimate.ts';
export type { ExplainedTool, Explanation } from './explain.ts';
export type { ExposureRules } from './exposure.ts';
export type { Insert } from './fold.ts';
export { matchesTool } from './glob.ts';
export type { DeferredToolGroup, ToolSummary } from './group.ts';
export type { JsonObject, JsonSchema, JsonValue } from './json.ts';
export { createToolLayer, type ToolLayer, type ToolLayerOptions } from './layer.ts';
export { definitionTokens, type TokenLedger } from './ledger.ts';
export type { LoaderCache } from './loads.ts';
export type { Measurement, StrategyMeasure } from './measure.ts';
export { canonicalName, groupSlug, MAX_NAME } from './names.ts';
export type { Presentation } from './presentation.ts';
export { type ResumedState, resumeState } from './resume.ts';
export type { Limits } from './scope.ts';
export { createLexicalSearch } from './search/lexical.ts';
export type { SearchHit, ToolDocument, ToolSearch } from './search/tool-search.ts';
export type { Session, SessionOptions, TurnOptions } from './session.ts';
export type { StandardJSONSchemaV1, StandardSchemaV1 } from './standard-schema.ts';
export type { ExpandedGroups, FrozenEpoch, ToolState } from './state.ts';
export type { BridgeKind } from './strategies/strategy.ts';
export { type StrategyChoice, type StrategyName, strategyNames } from './strategy.ts';
export { estimateTokens } from './tokens.ts';
export type {
  Exposure,
  InputSchema,
  TokenCounter,
  Tool,
  ToolAnnotations,
  ToolCallOptions,
  ToolDefinition,
} from './tool.ts';
export type { ResolvedTool } from './toolbox.ts';
export type {
  EpochNote,
  Note,
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from './transcript.ts';
export type { CallEvent, Route, RouteOptions, Turn } from './turn.ts';
export type { Role } from './view.ts';
