import type { JsonObject, JsonSchema } from '../values/index.ts';
import type { ToolCallOptions } from './call-host.ts';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from './standard-schema.ts';

/** How a tool reaches the model: its schema declared, its name catalogued, or neither. */
export type Exposure = 'inline' | 'deferred' | 'hidden';

/** Hints of a server about its tool (MCP `ToolAnnotations`). They count for trusted groups only. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** JSON Schema of any dialect, or a Standard Schema (zod 4, arktype, valibot with its converter). */
export type InputSchema = JsonSchema | StandardSchemaV1 | StandardJSONSchemaV1;

/** A tool as its owner names it: the bare name, without the group. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: InputSchema;
  readonly annotations?: ToolAnnotations;
  /**
   * Overrides the exposure. By default tools of a group are deferred, and so are the app's own tools
   * if the app names the strategy or if they are not small; see `chooseStrategy`.
   */
  readonly exposure?: Exposure;
  /**
   * Why one of the app's own tools cannot be deferred, for people. It is declared whatever its
   * exposure, unless that is `hidden`.
   */
  readonly inlineBecause?: string;
  /**
   * Whether `execute` takes a bigint for an integer that a number cannot hold, such as 12345678901234567890. Hooks and
   * approvals see the same bigint. Without it, calls with such an integer are refused.
   */
  readonly takesBigints?: boolean;
  /** MCP `_meta`, kept as received. */
  readonly meta?: JsonObject;
  /** Runs the tool. The core never calls it: hosts do, after their own checks. May throw. */
  readonly execute?: (input: unknown, options: ToolCallOptions) => unknown;
}

/** What goes into a request's `tools`. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonSchema;
}

/** Counts the tokens of a text; must be pure. */
export type TokenCounter = (text: string) => number;
