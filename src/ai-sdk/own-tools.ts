import { asSchema, jsonSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import { checkArguments } from '../tools/check.ts';
import type { JsonSchema } from '../tools/json.ts';
import type { StandardJSONSchemaV1, StandardResult, StandardSchemaV1 } from '../tools/standard-schema.ts';
import type { Tool, ToolCallOptions } from '../tools/tool.ts';

const UNKNOWN_SCHEMA: JsonSchema = { type: 'object' };

/** Tools of the AI SDK as the core sees them; provider-defined tools are the provider's business. */
export function fromToolSet(tools: ToolSet): Tool[] {
  return Object.entries(tools)
    .filter(([, tool]) => tool.type !== 'provider')
    .map(([name, tool]) => fromSdkTool(name, tool));
}

function fromSdkTool(name: string, tool: SdkTool): Tool {
  const { execute, description } = tool;
  return {
    name,
    inputSchema: schemaOf(tool),
    // A description made per call cannot stand in a frozen catalog.
    ...(typeof description === 'string' ? { description } : {}),
    ...(execute ? { execute: (input: unknown, options: ToolCallOptions) => execute(input, options as never) } : {}),
  };
}

/**
 * The schema with the SDK's own validator behind it. Without one (`jsonSchema()` alone) it is plain
 * JSON Schema, which the core checks itself.
 */
function schemaOf(tool: SdkTool): Tool['inputSchema'] {
  const schema = asSchema(tool.inputSchema);
  let known: JsonSchema = UNKNOWN_SCHEMA;
  const described = schema.jsonSchema;
  if (isPromise(described)) {
    described.then(
      (value) => {
        known = value as JsonSchema;
      },
      () => {},
    );
  } else {
    known = described as JsonSchema;
  }
  const { validate } = schema;
  if (!validate) return known;
  const side = {
    version: 1 as const,
    vendor: 'ai-sdk',
    jsonSchema: { input: () => known as Record<string, unknown> },
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

/** The app's tools for the SDK: as they are, with a validator where they came without one. */
export function withValidators(tools: ToolSet): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const schema = tool.type === 'provider' ? undefined : asSchema(tool.inputSchema);
      if (!schema || schema.validate) return [name, tool];
      const checked = jsonSchema(schema.jsonSchema, {
        validate: async (value) => {
          const core = { name, inputSchema: (await schema.jsonSchema) as JsonSchema };
          const check = await checkArguments(core, value);
          return check.ok
            ? { success: true, value: check.value }
            : { success: false, error: new Error(check.problems.join('; ')) };
        },
      });
      return [name, { ...tool, inputSchema: checked }];
    }),
  ) as ToolSet;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
