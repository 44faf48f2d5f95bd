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
  ToolCallOptions,
  ToolDefinition,
} from './tool.ts';
export { toolProblem } from './tool-problem.ts';
