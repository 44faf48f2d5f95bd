import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import { own } from '../../tools/values/index.ts';

export type WireTool = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool;

export interface WireToolsInputs {
  /** What the SDK would send: the app's tools and a placeholder for each deferred one. */
  readonly offered: readonly WireTool[];
  /** Names of the app's own tools, in the app's order. */
  readonly ownNames: readonly string[];
  /** An own tool as the SDK would send it, where `activeTools` left it out. */
  readonly ownTool: (name: string) => Promise<WireTool | undefined>;
  /** Whether a name is one of Toolfold's: a placeholder, a bridge, an own function tool. */
  readonly isKnown: (name: string) => boolean;
  /** What the strategy declares, in order. */
  readonly declared: readonly ToolDefinition[];
  /** A bridge tool as its provider declares it, where that is no function. */
  readonly bridge?: ((tool: ToolDefinition) => WireTool | undefined) | undefined;
}

/**
 * The request's tools: the app's own as the SDK prepared them, then what the strategy adds. Tools the
 * app added on the side stay among its own. Whatever `activeTools` left out is put back: it decides
 * what may be called, not what is declared.
 */
export async function toWireTools(inputs: WireToolsInputs): Promise<WireTool[]> {
  const { offered, ownNames, isKnown, ownTool, declared } = inputs;
  const isOwn = new Set(ownNames);
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  // Own tools declared from the start; one that is requested later stands where it appeared.
  const end = declared.findIndex((tool) => !isOwn.has(tool.name));
  const lead = new Set((end < 0 ? declared : declared.slice(0, end)).map((tool) => tool.name));
  const stays = (name: string) => lead.has(name) || !isKnown(name);
  const given = offered.filter(({ name }) => stays(name));
  const ownStaying = ownNames.filter(stays);
  const missing = ownStaying.some((name) => !byName.has(name));
  const restore = async (name: string) => byName.get(name) ?? (await ownTool(name)) ?? [];
  const app = missing
    ? [
        ...(await Promise.all(ownStaying.map(restore))).flat(),
        ...given.filter(({ name }) => !isOwn.has(name)),
      ]
    : given;
  const added = declared.slice(lead.size).map(async (tool) => {
    const prepared = isOwn.has(tool.name) ? await restore(tool.name) : [];
    return Array.isArray(prepared)
      ? (inputs.bridge?.(tool) ?? withOptionsOf(byName.get(tool.name), asWireTool(tool)))
      : prepared;
  });
  return moveCacheMarkers(offered, [...app, ...(await Promise.all(added))]);
}

/** A definition as the SDK hands functions to providers. */
export function asWireTool(tool: ToolDefinition): LanguageModelV4FunctionTool {
  const inputSchema = tool.parameters as LanguageModelV4FunctionTool['inputSchema'];
  const { name, description } = tool;
  return description === undefined
    ? { type: 'function', name, inputSchema }
    : { type: 'function', name, description, inputSchema };
}

/** A tool with what the SDK adds for its provider: who may call it, say. */
function withOptionsOf(offered: WireTool | undefined, tool: WireTool): WireTool {
  if (offered?.type !== 'function' || tool.type !== 'function' || !offered.providerOptions)
    return tool;
  return { ...tool, providerOptions: offered.providerOptions };
}

/** A cache marker on a tool that leaves the wire moves to the last tool that stays. */
function moveCacheMarkers(offered: readonly WireTool[], wire: readonly WireTool[]): WireTool[] {
  const stays = new Set(wire.map((tool) => tool.name));
  const orphan = offered.findLast(
    (tool) => !stays.has(tool.name) && cacheControlOf(tool) !== undefined,
  );
  const last = wire.at(-1);
  if (!orphan || !last || last.type !== 'function' || cacheControlOf(last) !== undefined)
    return [...wire];
  const moved = mergeAnthropic(last, { cacheControl: cacheControlOf(orphan) as never });
  return [...wire.slice(0, -1), moved];
}

function cacheControlOf(tool: WireTool): unknown {
  const options = tool.type === 'function' ? tool.providerOptions : undefined;
  return (
    own(own(options, 'anthropic'), 'cacheControl') ??
    own(own(options, 'anthropic'), 'cache_control')
  );
}

function mergeAnthropic(
  tool: LanguageModelV4FunctionTool,
  options: SharedV4ProviderOptions[string],
): LanguageModelV4FunctionTool {
  const anthropic = { ...tool.providerOptions?.anthropic, ...options };
  return { ...tool, providerOptions: { ...tool.providerOptions, anthropic } };
}

/**
 * Anthropic's provider marks tools for eager input streaming when it streams and not when it
 * generates; said explicitly, the bytes are the same for both.
 */
export function fixInputStreaming(
  tools: readonly WireTool[],
  provider: string,
  options: LanguageModelV4CallOptions['providerOptions'],
): WireTool[] {
  if (!provider.includes('anthropic')) return [...tools];
  const streaming = streamsInput(options);
  return tools.map((tool) => {
    if (tool.type !== 'function') return tool;
    if (own(own(tool.providerOptions, 'anthropic'), 'eagerInputStreaming') !== undefined)
      return tool;
    return mergeAnthropic(tool, { eagerInputStreaming: streaming });
  });
}

/** Whether arguments are to stream as they are written, which is what Anthropic's provider does by default. */
export function streamsInput(options: LanguageModelV4CallOptions['providerOptions']): boolean {
  return own(own(options, 'anthropic'), 'toolStreaming') !== false;
}
