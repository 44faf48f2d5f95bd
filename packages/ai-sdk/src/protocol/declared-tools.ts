import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  type AcceptedTools,
  declarable,
  definitionTokens,
  estimateTokens,
  type ToolDefinition,
} from '@toolfold/core/internal/tool';
import { ownProperties, ownProperty } from '@toolfold/core/internal/values';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
  SharedV4ProviderOptions,
} from './language-model.ts';

export type WireTool = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool;

interface WireToolsInputs {
  /** The tools that the SDK would send: the app's tools and a placeholder for each deferred tool. */
  readonly offered: readonly WireTool[];
  /** Names of the app's own tools, in the app's order. */
  readonly ownNames: readonly string[];
  /** An own tool in its wire form, if `activeTools` left it out. */
  readonly ownTool: (name: string) => Promise<WireTool | undefined>;
  /** Names among them that do not belong to Toolfold: no placeholder, bridge or own function tool has them. */
  readonly unknown: ReadonlySet<string>;
  /** The definitions that the strategy declares, in order. */
  readonly declared: readonly ToolDefinition[];
  /** The declaration of a bridge tool that is not a function for this provider. */
  readonly bridge?: ((tool: ToolDefinition) => WireTool | undefined) | undefined;
}

/**
 * The tools of a request: the app's own as the SDK prepared them, then the tools of the strategy. Tools
 * that the app added beside the fold stay among its own. Tools that `activeTools` left out are put
 * back, because `activeTools` decides which tools are callable, not which are declared.
 */
export async function toWireTools(inputs: WireToolsInputs): Promise<WireTool[]> {
  const { offered, ownNames, unknown, ownTool, declared } = inputs;
  const isOwn = new Set(ownNames);
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  // Own tools that are declared from the start. An own tool that is loaded later keeps its later position.
  const end = declared.findIndex((tool) => !isOwn.has(tool.name));
  const lead = new Set((end < 0 ? declared : declared.slice(0, end)).map((tool) => tool.name));
  const stays = (name: string) => lead.has(name) || unknown.has(name);
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

/**
 * Throws `invalid-option` for tools that the endpoint would refuse in the form in which they are sent now:
 * an own tool with an asynchronous schema, or too many tools with those that the app added beside the fold.
 */
export function checkWireTools(
  wire: readonly WireTool[],
  ownNames: ReadonlySet<string>,
  accepts: AcceptedTools | undefined,
): void {
  if (!accepts) return;
  for (const tool of wire) {
    if (tool.type !== 'function' || !ownNames.has(tool.name)) continue;
    const parameters = tool.inputSchema as ToolDefinition['parameters'];
    const { problem } = declarable({ name: tool.name, parameters }, accepts, { asItIs: true });
    if (problem === undefined) continue;
    throw new ToolfoldError(
      'invalid-option',
      `The tool "${tool.name}" has to be declared, and ${problem}.`,
      'Change its schema.',
    );
  }
  const { by, most = Number.POSITIVE_INFINITY } = accepts;
  if (wire.length <= most) return;
  throw new ToolfoldError(
    'invalid-option',
    `This request declares ${wire.length} tools, and ${by} accepts at most ${most}: "${wire[most]?.name}" is the first one too many.`,
    'Leave out `strategy`, or give the tools to the fold, which then defers some.',
  );
}

/** A definition in the form in which the SDK passes functions to providers. */
export function asWireTool(tool: ToolDefinition): LanguageModelV4FunctionTool {
  const inputSchema = tool.parameters as LanguageModelV4FunctionTool['inputSchema'];
  const { name, description } = tool;
  return description === undefined
    ? { type: 'function', name, inputSchema }
    : { type: 'function', name, description, inputSchema };
}

/** A tool with the provider options that the SDK added, for example the allowed callers. */
function withOptionsOf(offered: WireTool | undefined, tool: WireTool): WireTool {
  if (offered?.type !== 'function' || tool.type !== 'function' || !offered.providerOptions)
    return tool;
  return { ...tool, providerOptions: offered.providerOptions };
}

/** Moves the cache marker of a tool that is not sent to the last tool that is sent. */
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
  if (!options) return;
  const { cacheControl, cache_control } = ownProperties(ownProperty(options, 'anthropic'));
  return cacheControl ?? cache_control;
}

function mergeAnthropic(
  tool: LanguageModelV4FunctionTool,
  options: SharedV4ProviderOptions[string],
): LanguageModelV4FunctionTool {
  const anthropic = { ...tool.providerOptions?.anthropic, ...options };
  return { ...tool, providerOptions: { ...tool.providerOptions, anthropic } };
}

/**
 * Sets eager input streaming explicitly. Anthropic's provider sets it by default in `doStream` and not
 * in `doGenerate`, so the bytes of the tools would differ.
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
    if (
      ownProperty(ownProperty(tool.providerOptions, 'anthropic'), 'eagerInputStreaming') !==
      undefined
    )
      return tool;
    return mergeAnthropic(tool, { eagerInputStreaming: streaming });
  });
}

/** Whether arguments stream as the model writes them. This is the default of Anthropic's provider. */
export function streamsInput(options: LanguageModelV4CallOptions['providerOptions']): boolean {
  return ownProperty(ownProperty(options, 'anthropic'), 'toolStreaming') !== false;
}

/**
 * Bedrock's Converse API refuses calls and results in the messages of a request without tools, and the AI SDK
 * then leaves them out: `hasToolContent` in @ai-sdk/amazon-bedrock 5.0.101, dist/index.js. Anthropic's own API takes
 * them since February 27, 2025: https://github.com/anthropics/anthropic-sdk-python/issues/849.
 */
const NEED_TOOLS = /^amazon-bedrock\b/;

/** What is declared in place of all tools. Its bytes never change, and its calls are unknown ones. */
const STUB = {
  type: 'function',
  name: 'tools_are_off',
  description: 'No tool can be called.',
  inputSchema: { type: 'object', properties: {} },
} as const satisfies WireTool;

/** The tokens of the stub beside the calls of a conversation with no tools. `model`: `provider/name`. */
export function stubTokens(model: string | undefined): number {
  const { name, description, inputSchema: parameters } = STUB;
  if (!NEED_TOOLS.test(model ?? '')) return 0;
  return definitionTokens({ name, description, parameters }, estimateTokens);
}

/** The tools, or where there are none and the provider needs one beside the calls of the prompt, a stub. */
export function withStub(
  tools: WireTool[],
  prompt: LanguageModelV4CallOptions['prompt'],
  { provider }: { readonly provider: string },
): WireTool[] {
  if (tools.length > 0 || !NEED_TOOLS.test(provider)) return tools;
  const hasCalls = prompt.some(
    ({ role, content }) =>
      role === 'tool' || (role === 'assistant' && content.some(({ type }) => type === 'tool-call')),
  );
  return hasCalls ? [STUB] : tools;
}
