import type { ToolDefinition } from '@toolfold/core/internal/tool';
import { ownProperty } from '@toolfold/core/internal/values';
import { asWireTool } from './declared-tools.ts';
import type {
  JSONObject,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
} from './language-model.ts';
import { type NativeWriter, remarksOf } from './native-form.ts';

// Beta header values of the Messages API. `@ai-sdk/anthropic` 4.0.105 adds them with the first request
// that needs them. Toolfold sends them from the first request on, because another set of betas changes
// the key of the prompt cache.
const SYSTEM_MESSAGES = 'mid-conversation-system-2026-04-07';
const BY_VALUE = 'inline-tools-2026-09-15';
const BY_REFERENCE = 'mid-conversation-tool-changes-2026-07-01';

/** `tool_addition` with the definition, in a system message after the user turn. */
export const anthropicInline: NativeWriter = {
  append: { id: 'anthropic-inline', declares: 'placeholder' },
  deferred,
  messages: (tools, { streamsInput }) => [
    toolChangeMessage(
      tools.map((tool) => ({ type: 'tool_addition', tool: asAdded(tool, streamsInput) })),
    ),
  ],
  providerOptions: (given) => withBetas(given, [SYSTEM_MESSAGES, BY_VALUE]),
};

/** `tool_addition` with a name. The definitions are deferred tools in `tools`. */
export const anthropicReference: NativeWriter = {
  append: { id: 'anthropic-reference', declares: 'all' },
  deferred,
  messages: (tools) => [
    toolChangeMessage(tools.map(({ name }) => ({ type: 'tool_addition', toolName: name }))),
  ],
  providerOptions: (given) => withBetas(given, [SYSTEM_MESSAGES, BY_REFERENCE]),
};

/**
 * The results of the loader and of the search are references to deferred tools. This form needs no
 * beta, and the provider keeps no data. Such a result can contain only references, so remarks follow
 * in a message after it.
 */
export const anthropicSearch: NativeWriter = {
  append: { id: 'anthropic-search', declares: 'all', onlyResults: true },
  deferred,
  searchOutput: ({ delivery }) => {
    if (!delivery?.result || delivery.tools.length === 0) return;
    const value = delivery.tools.map(({ name }) => ({
      type: 'custom' as const,
      providerOptions: { anthropic: { type: 'tool-reference', toolName: name } },
    }));
    const remarks = remarksOf(delivery.result);
    return {
      output: { type: 'content', value },
      ...(remarks === undefined ? {} : { remarks }),
    };
  },
};

function deferred(tool: ToolDefinition): LanguageModelV4FunctionTool {
  return { ...asWireTool(tool), providerOptions: { anthropic: { deferLoading: true } } };
}

/** An appended tool. Input streaming is set explicitly, as for declared tools, so that the bytes stay the same. */
function asAdded(tool: ToolDefinition, eagerInputStreaming: boolean): JSONObject {
  const providerOptions = { anthropic: { eagerInputStreaming } };
  return { ...asWireTool(tool), providerOptions } as JSONObject;
}

function toolChangeMessage(toolChanges: JSONObject[]) {
  return {
    role: 'system' as const,
    content: '',
    providerOptions: { anthropic: { toolChanges } },
  };
}

function withBetas(
  given: LanguageModelV4CallOptions['providerOptions'],
  betas: readonly string[],
): SharedV4ProviderOptions {
  const value = ownProperty(ownProperty(given, 'anthropic'), 'anthropicBeta');
  const ofApp = Array.isArray(value) ? value.filter((beta) => typeof beta === 'string') : [];
  const anthropicBeta = [...new Set([...ofApp, ...betas])];
  return { ...given, anthropic: { ...given?.anthropic, anthropicBeta } };
}

/**
 * A system message with a `tools` field and no content, the form of Kimi. The AI SDK's provider for
 * OpenAI-compatible endpoints spreads the options under `openaiCompatible` over the message, including
 * `content`. Its provider for Moonshot has a separate option.
 */
export const systemTools: NativeWriter = {
  append: { id: 'system-tools', declares: 'nothing', anywhere: true },
  messages: (definitions) => {
    const tools = definitions.map(asFunction);
    // The body leaves out `undefined`, but the type of the options does not allow it.
    const spread = { content: undefined, tools } as unknown as JSONObject;
    const providerOptions = { openaiCompatible: spread, moonshotai: { tools } };
    return [{ role: 'system', content: '', providerOptions }];
  },
};

function asFunction({ name, description, parameters }: ToolDefinition): JSONObject {
  const described = description === undefined ? { name } : { name, description };
  return { type: 'function', function: { ...described, parameters: parameters as JSONObject } };
}
