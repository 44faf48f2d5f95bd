export { Bridges, bridgeKinds, OTHER_SEARCH_NAME, reservedNames } from './bridges.ts';
export {
  type CallHost,
  type Choice,
  type ElicitationAnswer,
  type ElicitationRequest,
  type FormField,
  type FormProblem,
  type FormValue,
  LOG_LEVELS,
  type LogLevel,
  type SamplingAnswer,
  type SamplingRequest,
  type ToolCallOptions,
  type ToolLog,
  type ToolProgress,
} from './call-host.ts';
export {
  type AcceptedTools,
  AppendBudget,
  type AppendForm,
  type Declarable,
  declarable,
  PLACEHOLDER,
  PLAIN_APPEND,
  STRICT,
  withObjectRoot,
} from './declared-tools.ts';
export { definitionFingerprint, invalidSchema, sharedDefinition } from './definitions.ts';
export { checkGroups, type DeferredToolGroup, OWN_GROUP, type ToolSummary } from './group.ts';
export { fingerprint, hashText } from './hash.ts';
export {
  canonicalName,
  groupSlug,
  isLegalName,
  MAX_NAME,
  plainName,
  shownName,
  withHash,
} from './names.ts';
export {
  type BridgeKind,
  type BridgeNames,
  FALLBACK,
  isDispatcher,
  isStrategyName,
  type Strategy,
  type StrategyChoice,
  type StrategyName,
  strategies,
  strategyNames,
  wantedStrategy,
} from './strategies.ts';
export {
  charactersOf,
  countRequest,
  DEFAULT_LIMITS,
  definitionTokens,
  estimateTokens,
  type Limits,
  MIN_RESULT_LENGTH,
  RESULT_LENGTH,
  type TokenLedger,
  tokensWithin,
} from './tokens.ts';
export {
  type CheckResult,
  type Exposure,
  type InputSchema,
  MAX_PROBLEMS,
  type StandardIssue,
  type StandardJSONSchemaV1,
  type StandardResult,
  type StandardSchemaV1,
  type TokenCounter,
  type Tool,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolEntry,
  toolProblem,
} from './tool.ts';
