import {
  isRecord,
  isTooDeep,
  type JsonObject,
  type JsonSchema,
  MAX_NESTING,
  truncate,
} from '../values/index.ts';
import type { ToolCallOptions } from './call-host.ts';

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

/** A tool the layer knows of, loaded or not. */
export interface ToolEntry {
  /** The canonical name: on the wire, in hooks, logs and results. */
  readonly name: string;
  /** The name its owner gave it. */
  readonly bare: string;
  /** The name shown under its group: the bare one where that is legal. */
  readonly shown: string;
  readonly groupId: string | undefined;
  readonly description: string | undefined;
  readonly meta: JsonObject | undefined;
  /** The exposure that its owner wants, as far as it is known before loading. */
  readonly exposure: Exposure | undefined;
  /** The app's own tool. A tool of a group is found among the loaded ones. */
  readonly appTool: Tool | undefined;
}

/**
 * The parts of the Standard Schema specification that Toolfold reads (standardschema.dev, version
 * 1): validation, and the conversion to JSON Schema that zod 4 and arktype offer themselves.
 */
export interface StandardSchemaV1 {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

export interface StandardJSONSchemaV1 {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The problems for the model: each names a place (`/title`) and the mistake. At most five, each at most 200 characters. */
export type CheckResult =
  | { readonly ok: true; readonly value: unknown; readonly warning?: string }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warning?: string };

export const MAX_PROBLEMS = 5;

/** Says why a loaded tool cannot be shown or sent; servers return such tools. */
export function toolProblem(tool: Tool): string | undefined {
  if (!isRecord(tool) || typeof tool.name !== 'string' || tool.name === '') return 'has no name';
  const { name, description, inputSchema } = tool as Tool;
  if (description !== undefined && typeof description !== 'string') {
    return `has a description that is no text ("${truncate(name, 80)}")`;
  }
  try {
    JSON.stringify(inputSchema);
  } catch {
    return `has a schema that is not JSON ("${truncate(name, 80)}")`;
  }
  // A Standard Schema is an object of its library, often with cycles; it describes itself.
  const isJson = isRecord(inputSchema) && !('~standard' in inputSchema);
  if (isJson && isTooDeep(inputSchema)) {
    return `has a schema nested more than ${MAX_NESTING} levels deep ("${truncate(name, 80)}")`;
  }
  return;
}
