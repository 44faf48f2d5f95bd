import { asSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import type { JsonSchema } from '../tools/json.ts';
import type { StandardJSONSchemaV1, StandardResult, StandardSchemaV1 } from '../tools/standard-schema.ts';
import type { Tool, ToolCallOptions } from '../tools/tool.ts';
import type { WireTool } from './wire-tools.ts';

const UNKNOWN_SCHEMA: JsonSchema = { type: 'object' };

/** Tools of the AI SDK as the core sees them; provider-defined tools are the provider's business. */
export function fromToolSet(tools: ToolSet): Tool[] {
  return functionTools(tools).map(([name, tool]) => {
    const described = asSchema(tool.inputSchema).jsonSchema;
    // A schema that has yet to be made is left to the SDK, which sends it in its own words.
    return fromSdkTool(name, tool, isPromise(described) ? UNKNOWN_SCHEMA : (described as JsonSchema));
  });
}

/** The same where there is time to wait for schemas that have yet to be made. */
export async function fromLoadedToolSet(tools: ToolSet): Promise<Tool[]> {
  return Promise.all(
    functionTools(tools).map(async ([name, tool]) =>
      fromSdkTool(name, tool, (await asSchema(tool.inputSchema).jsonSchema) as JsonSchema),
    ),
  );
}

function functionTools(tools: ToolSet): [string, SdkTool][] {
  return Object.entries(tools).filter(([, tool]) => tool.type !== 'provider');
}

function fromSdkTool(name: string, tool: SdkTool, parameters: JsonSchema): Tool {
  const { execute, description } = tool;
  return {
    name,
    inputSchema: schemaOf(tool, parameters),
    // A description made per call cannot stand in a frozen catalog.
    ...(typeof description === 'string' ? { description } : {}),
    ...(execute ? { execute: (input: unknown, options: ToolCallOptions) => execute(input, options as never) } : {}),
  };
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

/** The tools as they are, each telling when it runs; `onRun` must not throw. */
export function watched(tools: ToolSet, onRun: (name: string, toolCallId: string) => void): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const { execute } = tool;
      if (!execute) return [name, tool];
      const watching: typeof execute = (input, options) => {
        onRun(name, options.toolCallId);
        return execute(input, options);
      };
      return [name, { ...tool, execute: watching }];
    }),
  ) as ToolSet;
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
