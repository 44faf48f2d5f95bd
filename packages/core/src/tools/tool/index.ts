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
export type { Entry } from './entry.ts';
export { type DeferredToolGroup, OWN_GROUP, type ToolSummary } from './group.ts';
export { checkGroups } from './group-check.ts';
export type {
  StandardIssue,
  StandardJSONSchemaV1,
  StandardResult,
  StandardSchemaV1,
} from './standard-schema.ts';
export type {
  Exposure,
  InputSchema,
  TokenCounter,
  Tool,
  ToolAnnotations,
  ToolDefinition,
} from './tool.ts';
export { toolProblem } from './tool-problem.ts';
