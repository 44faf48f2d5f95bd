import { type Hide, hidden, lastOf } from '@toolfold/core/internal/host';
import {
  invalidSchema,
  type StandardJSONSchemaV1,
  type StandardResult,
  type StandardSchemaV1,
  type Tool,
  type ToolCallOptions,
} from '@toolfold/core/internal/tool';
import { isPlainJson, isRecord, type JsonSchema } from '@toolfold/core/internal/values';
import type { Tool as SdkTool, ToolSet } from 'ai';
import type { WireTool } from '../protocol/index.ts';
import { copyOfSchema, type SdkSchema, SdkSchemas } from './sdk-schema.ts';

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

/** The tools as they are now: later changes have no effect. An instance of a class stays the same one. */
export function fixedTools(tools: ToolSet): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, isPlainJson(tool) ? changed(tool) : tool]),
  );
}

/** Converts tools of the AI SDK for the core. Provider-defined tools are left out. */
export function fromToolSet(tools: ToolSet, schemas: SdkSchemas): Tool[] {
  return functionTools(tools).map(([name, tool]) => {
    const described = describedBy(name, tool, schemas);
    // An asynchronous schema is left to the SDK, which sends the schema itself.
    const schema = isAsync(described) ? UNKNOWN_SCHEMA : (described as JsonSchema);
    return { ...describe(name, tool, schema, schemas), ...ownMarks(tool, schemas) };
  });
}

/** Converts the tools of a group. Toolfold runs these tools, not the SDK. */
export async function fromLoadedToolSet(tools: ToolSet): Promise<SdkBackedTool[]> {
  const schemas = new SdkSchemas();
  const loaded = functionTools(tools).map(async ([name, tool]): Promise<SdkBackedTool> => {
    const parameters = (await describedBy(name, tool, schemas)) as JsonSchema;
    const described = describe(name, tool, parameters, schemas);
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

/** Throws `invalid-schema` if the schema cannot be converted. */
function describedBy(
  name: string,
  { inputSchema }: SdkTool,
  schemas: SdkSchemas,
): SdkSchema['jsonSchema'] {
  try {
    return schemas.of(inputSchema).jsonSchema;
  } catch (error) {
    throw invalidSchema(name, error);
  }
}

function describe(name: string, tool: SdkTool, parameters: JsonSchema, schemas: SdkSchemas): Tool {
  const { description } = tool;
  // A description that is computed per call cannot be part of a frozen catalog.
  const text = typeof description === 'string' ? { description } : {};
  return { name, inputSchema: schemaOf(tool, parameters, schemas), ...text };
}

/**
 * The schema with the SDK's validator. Without a validator (`jsonSchema()` alone) it is plain JSON
 * Schema, which the core checks itself.
 */
function schemaOf(tool: SdkTool, parameters: JsonSchema, schemas: SdkSchemas): Tool['inputSchema'] {
  const { validate } = schemas.of(tool.inputSchema);
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
export async function toWireTool(
  name: string,
  tool: SdkTool,
  schemas: SdkSchemas,
): Promise<WireTool> {
  if (tool.type === 'provider') return { type: 'provider', name, id: tool.id, args: tool.args };
  const { description, inputExamples, providerOptions, strict } = tool;
  return {
    type: 'function',
    name,
    inputSchema: copyOfSchema(await schemas.of(tool.inputSchema).jsonSchema),
    ...(typeof description === 'string' ? { description } : {}),
    ...(inputExamples === undefined ? {} : { inputExamples: inputExamples as never }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(strict === undefined ? {} : { strict }),
  };
}

/** The reason that `explain` gives for a provider's own tool, which the layer does not have. */
export const OF_PROVIDER = 'a tool of the provider, which has no schema to defer';

/**
 * What a tool of the app says of its deferral: the AI SDK's field `deferLoading`, and the properties that
 * reach the provider only with a declared tool, or that a frozen catalog cannot show.
 */
function ownMarks(tool: SdkTool, schemas: SdkSchemas): Pick<Tool, 'exposure' | 'inlineBecause'> {
  const inlineBecause = reasonToStay(tool, schemas);
  if (inlineBecause !== undefined) return { inlineBecause };
  const { deferLoading } = tool;
  return deferLoading === undefined ? {} : { exposure: deferLoading ? 'deferred' : 'inline' };
}

function reasonToStay(tool: SdkTool, schemas: SdkSchemas): string | undefined {
  const { experimental_toolCaller, strict, inputExamples } = tool as Partial<
    Record<string, unknown>
  >;
  if (experimental_toolCaller !== undefined) return 'it calls other tools';
  if (typeof tool.description === 'function') return 'its description is computed for each request';
  if (strict === true) return 'it has `strict`, which holds for declared tools only';
  if (isFilled(inputExamples))
    return 'it has `inputExamples`, which are sent with declared tools only';
  if (hasOptions(tool.providerOptions))
    return 'it has `providerOptions`, which are sent with declared tools only';
  return isAsync(schemas.of(tool.inputSchema).jsonSchema)
    ? 'its schema is asynchronous'
    : undefined;
}

/** The tools without `deferLoading`: the AI SDK hides tools that are marked, and only its own search finds them. */
export function withoutDeferLoading(tools: ToolSet): ToolSet {
  const isMarked = (tool: SdkTool) => tool.deferLoading !== undefined;
  if (!Object.values(tools).some(isMarked)) return tools;
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      isMarked(tool) ? changed(tool, UNMARKED) : tool,
    ]),
  );
}

const UNMARKED: PropertyDescriptorMap = {
  deferLoading: { value: undefined, writable: true, enumerable: true, configurable: true },
};

/** A copy of the tool with other properties. A spread would not copy those that are not enumerable. */
export function changed(tool: SdkTool, changes: PropertyDescriptorMap = {}): SdkTool {
  const descriptors = { ...Object.getOwnPropertyDescriptors(tool), ...changes };
  return Object.create(Object.getPrototypeOf(tool), descriptors);
}

/** Whether there are options beside cache markers, which move to the last tool that is sent. */
function hasOptions(options: SdkTool['providerOptions']): boolean {
  return Object.values(options ?? {}).some((of) =>
    Object.keys(of ?? {}).some((key) => key !== 'cacheControl' && key !== 'cache_control'),
  );
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isAsync(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}

/** The tools that a loader returned, without secrets in their definitions. What they run stays as it is. */
export function hiddenTools(tools: readonly Tool[], hide: Hide): Tool[] {
  return tools.map((tool) => hiddenTool(tool, hide));
}

function hiddenTool(tool: Tool, hide: Hide): Tool {
  if (!isRecord(tool)) return tool;
  const changes: Record<string, unknown> = {};
  for (const key of ['name', 'description', 'annotations', 'meta'] as const) {
    const shown = hidden(tool[key], hide);
    if (!Object.is(shown, tool[key])) changes[key] = shown;
  }
  const inputSchema = hiddenSchema(tool.inputSchema, hide);
  if (inputSchema !== tool.inputSchema) changes.inputSchema = inputSchema;
  if (Object.keys(changes).length === 0) return tool;
  // A method of a class instance keeps its instance.
  const execute = tool.execute && { execute: tool.execute.bind(tool) };
  return { ...tool, ...changes, ...execute };
}

/** The schema as the model reads it. A validator of the app stays as it is. */
function hiddenSchema(schema: Tool['inputSchema'], hide: Hide): Tool['inputSchema'] {
  // A class of schemas may have it.
  const standard: unknown = isRecord(schema) ? Reflect.get(schema, '~standard') : undefined;
  if (!isRecord(standard)) return hidden(schema, hide);
  const converter = standard.jsonSchema;
  const input = isRecord(converter) ? converter.input : undefined;
  if (typeof input !== 'function') return schema;
  const shown = (...given: unknown[]) => hidden(Reflect.apply(input, converter, given), hide);
  return { '~standard': { ...standard, jsonSchema: { input: shown } } } as never;
}
