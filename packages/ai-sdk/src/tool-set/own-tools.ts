import { lastOf } from '@toolfold/core/internal/host';
import type {
  StandardJSONSchemaV1,
  StandardResult,
  StandardSchemaV1,
  Tool,
  ToolCallOptions,
} from '@toolfold/core/internal/tools/tool';
import type { JsonSchema } from '@toolfold/core/internal/tools/values';
import { asSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import type { WireTool } from '../declared-tools/index.ts';
import { isAsync, ownMarks } from './own-marks.ts';

const UNKNOWN_SCHEMA: JsonSchema = { type: 'object' };

/** A tool of the core that is backed by a tool of the AI SDK. */
export interface SdkBackedTool extends Tool {
  readonly needsApproval?: SdkTool['needsApproval'];
  readonly contextSchema?: SdkTool['contextSchema'];
  /** The tool has no `execute`: the client gives the result, for example a browser. */
  readonly isClientSide?: true;
  /** Runs a tool that is a generator, and returns its partial results. */
  readonly generate?: (input: unknown, options: ToolCallOptions) => AsyncIterable<unknown>;
  readonly onInputStart?: SdkTool['onInputStart'];
  readonly onInputDelta?: SdkTool['onInputDelta'];
  readonly onInputAvailable?: SdkTool['onInputAvailable'];
  /** The output for the model, after the app's hooks. */
  readonly toModelOutput?: (result: {
    readonly toolCallId: string;
    readonly input: unknown;
    readonly output: unknown;
  }) => ReturnType<NonNullable<SdkTool['toModelOutput']>> | undefined;
}

/** Converts tools of the AI SDK for the core. Provider-defined tools are left out. */
export function fromToolSet(tools: ToolSet): Tool[] {
  return functionTools(tools).map(([name, tool]) => {
    const described = asSchema(tool.inputSchema).jsonSchema;
    // An asynchronous schema is left to the SDK, which sends the schema itself.
    const schema = isAsync(described) ? UNKNOWN_SCHEMA : (described as JsonSchema);
    return { ...describe(name, tool, schema), ...ownMarks(tool) };
  });
}

/** Converts the tools of a group. Toolfold runs these tools, not the SDK. */
export async function fromLoadedToolSet(tools: ToolSet): Promise<SdkBackedTool[]> {
  const loaded = functionTools(tools).map(async ([name, tool]): Promise<SdkBackedTool> => {
    const described = describe(
      name,
      tool,
      (await asSchema(tool.inputSchema).jsonSchema) as JsonSchema,
    );
    const { contextSchema, toModelOutput } = tool;
    return {
      ...described,
      ...runOf(tool),
      ...listenersOf(tool),
      ...(tool.needsApproval === undefined ? {} : { needsApproval: needsApprovalOf(tool) }),
      ...(contextSchema === undefined ? {} : { contextSchema }),
      ...(toModelOutput ? { toModelOutput: (result) => tool.toModelOutput?.(result) } : {}),
    };
  });
  return Promise.all(loaded);
}

/** The functions that run a tool. They call `execute` as a method, because the tool may be an instance of a class. */
function runOf(tool: SdkTool): Partial<SdkBackedTool> {
  if (!tool.execute) return { isClientSide: true };
  const run = (input: unknown, options: ToolCallOptions): unknown =>
    tool.execute?.(input, options as never);
  const execute = async (input: unknown, options: ToolCallOptions): Promise<unknown> =>
    lastOf(await run(input, options));
  return isGenerator(tool.execute)
    ? { execute, generate: run as NonNullable<SdkBackedTool['generate']> }
    : { execute };
}

function needsApprovalOf(tool: SdkTool): NonNullable<SdkTool['needsApproval']> {
  return async (input, options) =>
    typeof tool.needsApproval === 'function'
      ? tool.needsApproval(input, options)
      : tool.needsApproval === true;
}

function listenersOf(
  tool: SdkTool,
): Pick<SdkBackedTool, 'onInputStart' | 'onInputDelta' | 'onInputAvailable'> {
  return {
    ...(tool.onInputStart ? { onInputStart: (event) => tool.onInputStart?.(event) } : {}),
    ...(tool.onInputDelta ? { onInputDelta: (event) => tool.onInputDelta?.(event) } : {}),
    ...(tool.onInputAvailable
      ? { onInputAvailable: (event) => tool.onInputAvailable?.(event) }
      : {}),
  };
}

/** Whether a function is an async generator. Does not run it. */
export function isGenerator(run: unknown): boolean {
  return Object.prototype.toString.call(run) === '[object AsyncGeneratorFunction]';
}

function functionTools(tools: ToolSet): [string, SdkTool][] {
  return Object.entries(tools).filter(([, tool]) => tool.type !== 'provider');
}

function describe(name: string, tool: SdkTool, parameters: JsonSchema): Tool {
  const { description } = tool;
  // A description that is computed per call cannot be part of a frozen catalog.
  const text = typeof description === 'string' ? { description } : {};
  return { name, inputSchema: schemaOf(tool, parameters), ...text };
}

/**
 * The schema with the SDK's validator. Without a validator (`jsonSchema()` alone) it is plain JSON
 * Schema, which the core checks itself.
 */
function schemaOf(tool: SdkTool, parameters: JsonSchema): Tool['inputSchema'] {
  const { validate } = asSchema(tool.inputSchema);
  if (!validate) return parameters;
  const standard = {
    version: 1 as const,
    vendor: 'ai-sdk',
    jsonSchema: { input: () => parameters as Record<string, unknown> },
    validate: async (value: unknown): Promise<StandardResult> => {
      const result = await validate(value);
      return result.success ? { value: result.value } : { issues: issuesOf(result.error) };
    },
  };
  return { '~standard': standard } as StandardSchemaV1 & StandardJSONSchemaV1;
}

/** The issues of the validator (zod has them), else the message of its error. */
function issuesOf(error: Error): { message: string; path?: PropertyKey[] }[] {
  const cause = (error as { cause?: { issues?: unknown } }).cause ?? error;
  const issues = (cause as { issues?: unknown }).issues;
  return Array.isArray(issues) && issues.length > 0 ? issues : [{ message: error.message }];
}

/** The wire form of an own tool, as the SDK would prepare it. */
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
