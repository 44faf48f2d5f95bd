export { type ExposureRules, matchesTool, type Role } from './access/index.ts';
export type { Route, RouteOptions, Turn } from './calls/index.ts';
export type { CatalogOptions } from './catalog/index.ts';
export {
  type CachePrices,
  DEFAULT_PRICES,
  DEFAULT_WORKLOAD,
  type KnownPrices,
  TOKENS_PROCESSED,
  type Workload,
} from './cost/index.ts';
export {
  type AutoOptions,
  chooseStrategy,
  DEFERRAL_THRESHOLD,
  type Decision,
  type Delivery,
  type ExpandedGroups,
  type FrozenEpoch,
  type ResumedState,
  resumeState,
  type ToolState,
} from './epoch/index.ts';
export { createToolLayer, type KnownTools, type ToolLayer } from './layer.ts';
export { canonicalName, groupSlug, MAX_NAME } from './names/index.ts';
export type { SessionOptions, ToolLayerOptions } from './options/index.ts';
export type { Presentation } from './presentation/index.ts';
export type { LoaderCache, ResolvedTool } from './registry/index.ts';
export type { SearchHit, ToolDocument, ToolSearch } from './search/index.ts';
export type { ExplainedTool, Explanation, Session, TurnOptions } from './session/index.ts';
export {
  type AppendForm,
  type BridgeKind,
  type BridgeNames,
  type StrategyChoice,
  type StrategyName,
  strategyNames,
} from './strategies/index.ts';
export { definitionTokens, estimateTokens, type Limits, type TokenLedger } from './tokens/index.ts';
export type {
  CallHost,
  Choice,
  DeferredToolGroup,
  ElicitationAnswer,
  ElicitationRequest,
  Exposure,
  FormField,
  FormProblem,
  FormValue,
  InputSchema,
  LogLevel,
  SamplingAnswer,
  SamplingRequest,
  StandardJSONSchemaV1,
  StandardSchemaV1,
  TokenCounter,
  Tool,
  ToolAnnotations,
  ToolCallOptions,
  ToolDefinition,
  ToolLog,
  ToolProgress,
  ToolSummary,
} from './tool/index.ts';
export type {
  ActiveNote,
  CallEvent,
  EpochNote,
  Insert,
  Note,
  Offer,
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from './transcript/index.ts';
export type { JsonObject, JsonSchema, JsonValue } from './values/index.ts';
