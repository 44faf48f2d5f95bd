import { asSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import { isRecord, type JsonSchema } from '../tools/json.ts';
import type {
  StandardJSONSchemaV1,
  StandardResult,
  StandardSchemaV1,
} from '../tools/standard-schema.ts';
import type { Tool, ToolCallOptions } from '../tools/tool.ts';
import type { CallMemory } from './call-memory.ts';
import type { WithOptions } from './fold-options.ts';
import type { Hooks } from './hooks.ts';
import { withModelOutput } from './model-output.ts';
import type { WireTool } from './wire-tools.ts';

const UNKNOWN_SCHEMA: JsonSchema = { type: 'object' };

/** A tool of the core that an app wrote for the AI SDK. */
export interface SdkBackedTool extends Tool {
  readonly needsApproval?: SdkTool['needsApproval'];
}

/** Tools of the AI SDK as the core sees them; provider-defined tools are the provider's business. */
export function fromToolSet(tools: ToolSet): Tool[] {
  return functionTools(tools).map(([name, tool]) => {
    const described = asSchema(tool.inputSchema).jsonSchema;
    // A schema that has yet to be made is left to the SDK, which sends it in its own words.
    return describe(name, tool, isPromise(described) ? UNKNOWN_SCHEMA : (described as JsonSchema));
  });
}

/** The tools of a group, to be run from here and not by the SDK. */
export async function fromLoadedToolSet(tools: ToolSet): Promise<SdkBackedTool[]> {
  const loaded = functionTools(tools).map(async ([name, tool]): Promise<SdkBackedTool> => {
    const described = describe(
      name,
      tool,
      (await asSchema(tool.inputSchema).jsonSchema) as JsonSchema,
    );
    const { execute, toModelOutput, needsApproval } = tool;
    if (!execute) return described;
    const run = async (input: unknown, options: ToolCallOptions): Promise<unknown> => {
      const output = await lastOf(await execute(input, options as never));
      if (!toModelOutput) return output;
      const { toolCallId = '' } = options;
      return withModelOutput(output, await toModelOutput({ toolCallId, input, output }));
    };
    return {
      ...described,
      execute: run,
      ...(needsApproval === undefined ? {} : { needsApproval }),
    };
  });
  return Promise.all(loaded);
}

/** A tool that yields results as it goes: the last one counts. */
export async function lastOf(output: unknown): Promise<unknown> {
  if (!isRecord(output) || typeof Reflect.get(output, Symbol.asyncIterator) !== 'function')
    return output;
  let last: unknown;
  for await (const value of output as unknown as AsyncIterable<unknown>) last = value;
  return last;
}

function functionTools(tools: ToolSet): [string, SdkTool][] {
  return Object.entries(tools).filter(([, tool]) => tool.type !== 'provider');
}

function describe(name: string, tool: SdkTool, parameters: JsonSchema): Tool {
  const { description } = tool;
  // A description made per call cannot stand in a frozen catalog.
  const text = typeof description === 'string' ? { description } : {};
  return { name, inputSchema: schemaOf(tool, parameters), ...text };
}

/**
 * The schema with the SDK's own validator behind it. Without one (`jsonSchema()` alone) it is plain
 * JSON Schema, which the core checks itself.
 */
function schemaOf(tool: SdkTool, parameters: JsonSchema): Tool['inputSchema'] {
  const { validate } = asSchema(tool.inputSchema);
  if (!validate) return parameters;
  const side = {
    version: 1 as const,
    vendor: 'ai-sdk',
    jsonSchema: { input: () => parameters as Record<string, unknown> },
    validate: async (value: unknown): Promise<StandardResult> => {
      const result = await validate(value);
      return result.success ? { value: result.value } : { issues: issuesOf(result.error) };
    },
  };
  return { '~standard': side } as StandardSchemaV1 & StandardJSONSchemaV1;
}

/** The validator's own issues where it has them (zod does), else its message. */
function issuesOf(error: Error): { message: string; path?: PropertyKey[] }[] {
  const cause = (error as { cause?: { issues?: unknown } }).cause ?? error;
  const issues = (cause as { issues?: unknown }).issues;
  return Array.isArray(issues) && issues.length > 0 ? issues : [{ message: error.message }];
}

export interface Watching {
  /** Must not throw. */
  readonly onRun: (name: string, toolCallId: string) => void;
  readonly onExecute: WithOptions['onExecute'];
  readonly hooks: Hooks;
  readonly memory: CallMemory;
}

/** The tools as they are, each telling when it runs, with the app's hooks around it. */
export function watched(tools: ToolSet, watching: Watching): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, watchedTool(name, tool, watching)]),
  ) as ToolSet;
}

function watchedTool(
  name: string,
  tool: SdkTool,
  { onRun, onExecute, hooks, memory }: Watching,
): SdkTool {
  const { execute, needsApproval } = tool;
  if (!execute) return tool;
  const watching: typeof execute = (input, options) => {
    onRun(name, options.toolCallId);
    const call = { id: options.toolCallId, name, arguments: input };
    const running = hooks.isEmpty
      ? execute(input, options)
      : hooks.after(call, async () => lastOf(await execute(input, options)));
    if (isPromise(running))
      onExecute?.({ id: options.toolCallId, name, input }, running as Promise<unknown>);
    return running as never;
  };
  if (!hooks.judges) return { ...tool, execute: watching };
  const asks: SdkTool['needsApproval'] = async (input, options) =>
    memory.isAsked({ id: options.toolCallId, name, input }) ||
    (typeof needsApproval === 'function' ? needsApproval(input, options) : needsApproval === true);
  return { ...tool, execute: watching, needsApproval: asks };
}

/** Names of tools whose inputs the SDK lets pass unchecked. */
export function uncheckedNames(tools: ToolSet): Set<string> {
  const unchecked = Object.entries(tools).filter(
    ([, tool]) => tool.type !== 'provider' && !asSchema(tool.inputSchema).validate,
  );
  return new Set(unchecked.map(([name]) => name));
}

/** An own tool as the SDK would prepare it. */
export async function toWireTool(name: string, tool: SdkTool): Promise<WireTool> {
  if (tool.type === 'provider') return { type: 'provider', name, id: tool.id, args: tool.args };
  const { description, inputExamples, providerOptions, strict } = tool;
  return {
    type: 'function',
    name,
    inputSchema: await asSchema(tool.inputSchema).jsonSchema,
    ...(typeof description === 'string' ? { description } : {}),
    ...(inputExamples === undefined ? {} : { inputExamples: inputExamples as never }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(strict === undefined ? {} : { strict }),
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
