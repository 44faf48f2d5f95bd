export type { Route, RouteOptions } from './calls/index.ts';
export type { CatalogOptions } from './epoch/index.ts';
export {
  type CachePrices,
  DEFAULT_WORKLOAD,
  type KnownPrices,
  resumeState,
  TOKENS_PROCESSED,
  type ToolState,
  type Workload,
} from './epoch/index.ts';
export { createToolLayer, type ToolLayer } from './layer.ts';
export type { KnownTools, LoaderCache, Role } from './registry/index.ts';
export type { Presentation } from './request/index.ts';
export type { ToolSearch } from './search/index.ts';
export type { Explanation, Session, SessionOptions, ToolLayerOptions } from './session/index.ts';
export { type StrategyChoice, type StrategyName, strategyNames } from './strategies/index.ts';
export { definitionTokens, estimateTokens } from './tokens/index.ts';
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
  TokenCounter,
  Tool,
  ToolCallOptions,
  ToolDefinition,
  ToolLog,
  ToolProgress,
} from './tool/index.ts';
export type {
  CallEvent,
  Insert,
  Note,
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from './transcript/index.ts';
export type { JsonSchema } from './values/index.ts';
