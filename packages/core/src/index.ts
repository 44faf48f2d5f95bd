export type { Route, RouteOptions } from './calls/index.ts';
export { ToolfoldError, type ToolfoldErrorCode } from './errors.ts';
export type { LoaderCache, Role } from './registry/index.ts';
export {
  type CachePrices,
  type CatalogOptions,
  type KnownPrices,
  type Presentation,
  resumeState,
  type ToolState,
  type Workload,
} from './request/index.ts';
export type { ToolSearch } from './search/index.ts';
export {
  createToolLayer,
  type Explanation,
  type Session,
  type SessionOptions,
  type ToolLayer,
  type ToolLayerOptions,
} from './session/index.ts';
export {
  type CallHost,
  type Choice,
  type DeferredToolGroup,
  type ElicitationAnswer,
  type ElicitationRequest,
  type Exposure,
  estimateTokens,
  type FormField,
  type FormProblem,
  type FormValue,
  type InputSchema,
  type LogLevel,
  type SamplingAnswer,
  type SamplingRequest,
  type StrategyChoice,
  type StrategyName,
  type TokenCounter,
  type Tool,
  type ToolCallOptions,
  type ToolDefinition,
  type ToolLog,
  type ToolProgress,
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
