import type {
  JSONObject,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import { own } from '../../tools/values/index.ts';
import { asWireTool } from '../wire/index.ts';
import { saidBeside } from './beside.ts';
import type { NativeWriter } from './writer.ts';

// Header values of the Messages API, as `@ai-sdk/anthropic` 4.0.105 adds them from the first request
// that needs them; here they are sent from the very first, because a change of betas is a change of
// the prompt's key.
const SYSTEM_MESSAGES = 'mid-conversation-system-2026-04-07';
const BY_VALUE = 'inline-tools-2026-09-15';
const BY_REFERENCE = 'mid-conversation-tool-changes-2026-07-01';

/** `tool_addition` with the definition, in a system message behind the user turn. */
export const anthropicInline: NativeWriter = {
  append: { id: 'anthropic-inline', declares: 'placeholder' },
  unseen,
  messages: (tools, { streamsInput }) => [
    change(tools.map((tool) => ({ type: 'tool_addition', tool: asAdded(tool, streamsInput) }))),
  ],
  providerOptions: (given) => withBetas(given, [SYSTEM_MESSAGES, BY_VALUE]),
};

/** `tool_addition` with a name; the definitions stand in `tools`, deferred. */
export const anthropicReference: NativeWriter = {
  append: { id: 'anthropic-reference', declares: 'all' },
  unseen,
  messages: (tools) => [
    change(tools.map(({ name }) => ({ type: 'tool_addition', toolName: name }))),
  ],
  providerOptions: (given) => withBetas(given, [SYSTEM_MESSAGES, BY_REFERENCE]),
};

/**
 * Results of the loader and of the search are references to deferred tools: no beta, and no data kept
 * by the provider. Such a result may hold nothing else, so the rest is said behind it.
 */
export const anthropicSearch: NativeWriter = {
  append: { id: 'anthropic-search', declares: 'all', onlyResults: true },
  unseen,
  searchOutput: ({ delivery }) => {
    if (!delivery?.result || delivery.tools.length === 0) return;
    const value = delivery.tools.map(({ name }) => ({
      type: 'custom' as const,
      providerOptions: { anthropic: { type: 'tool-reference', toolName: name } },
    }));
    const beside = saidBeside(delivery.result);
    return {
      output: { type: 'content', value },
      ...(beside === undefined ? {} : { beside }),
    };
  },
};

function unseen(tool: ToolDefinition): LanguageModelV4FunctionTool {
  return { ...asWireTool(tool), providerOptions: { anthropic: { deferLoading: true } } };
}

/** Arguments stream as those of declared tools do, said explicitly so that the bytes are always the same. */
function asAdded(tool: ToolDefinition, eagerInputStreaming: boolean): JSONObject {
  const providerOptions = { anthropic: { eagerInputStreaming } };
  return { ...asWireTool(tool), providerOptions } as JSONObject;
}

function change(toolChanges: JSONObject[]) {
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
  const asked = own(own(given, 'anthropic'), 'anthropicBeta');
  const own_ = Array.isArray(asked) ? asked.filter((beta) => typeof beta === 'string') : [];
  const anthropicBeta = [...new Set([...own_, ...betas])];
  return { ...given, anthropic: { ...given?.anthropic, anthropicBeta } };
}
