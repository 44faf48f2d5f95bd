import type { Tool } from '@toolfold/core/internal/tools/tool';
import { asSchema, type Tool as SdkTool, type ToolSet } from 'ai';

/** The reason that `explain` gives for a provider's own tool, which the layer does not have. */
export const OF_PROVIDER = 'a tool of the provider, which has no schema to defer';

/**
 * What a tool of the app says of its deferral: the AI SDK's field `deferLoading`, and the properties that
 * reach the provider only with a declared tool, or that a frozen catalog cannot show.
 */
export function ownMarks(tool: SdkTool): Pick<Tool, 'exposure' | 'inlineBecause'> {
  const inlineBecause = reasonToStay(tool);
  if (inlineBecause !== undefined) return { inlineBecause };
  const { deferLoading } = tool;
  return deferLoading === undefined ? {} : { exposure: deferLoading ? 'deferred' : 'inline' };
}

function reasonToStay(tool: SdkTool): string | undefined {
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
  return isAsync(asSchema(tool.inputSchema).jsonSchema) ? 'its schema is asynchronous' : undefined;
}

/** The tools without `deferLoading`: the AI SDK hides tools that are marked, and only its own search finds them. */
export function withoutDeferLoading(tools: ToolSet): ToolSet {
  const isMarked = (tool: SdkTool) => tool.deferLoading !== undefined;
  if (!Object.values(tools).some(isMarked)) return tools;
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, isMarked(tool) ? unmarked(tool) : tool]),
  );
}

function unmarked(tool: SdkTool): SdkTool {
  return Object.create(Object.getPrototypeOf(tool), {
    ...Object.getOwnPropertyDescriptors(tool),
    deferLoading: { value: undefined, writable: true, enumerable: true, configurable: true },
  });
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

export function isAsync(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
