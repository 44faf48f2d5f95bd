import { groupSlug, OTHER_SEARCH_NAME, type ToolDefinition } from '@toolfold/core/internal/tool';
import { isRecord, type JsonObject, ownProperty, parsedJson } from '@toolfold/core/internal/values';
import type { JSONObject, LanguageModelV4Message } from './language-model.ts';
import {
  type AppendPosition,
  type LoaderResult,
  type NativeWriter,
  remarksOf,
  type SearchOutput,
} from './native-form.ts';

/** The name of OpenAI's own search, which models are trained on. */
const TOOL_SEARCH = 'tool_search';

/** Without this text, models assume that the latest additions are all tools (measured by the pi project, October 2026). */
const INCREMENT =
  'The tools that follow are additional ones: all tools you had before are still yours to use.';

/** Appends tools as `additional_tools` items between other items. */
export const openaiAdditional: NativeWriter = {
  append: { id: 'openai-additional', declares: 'nothing', anywhere: true },
  messages: additionalTools,
};

/**
 * Declares the loader as OpenAI's own `tool_search` with client execution: its output contains the
 * definitions by group. Tools that our search found are appended as `additional_tools`.
 */
export const openaiSearch: NativeWriter = {
  append: {
    id: 'openai-search',
    declares: 'nothing',
    anywhere: true,
    names: { load_tools: TOOL_SEARCH, tool_search: OTHER_SEARCH_NAME },
  },
  messages: additionalTools,
  searchOutput,
  bridge: ({ name, description, parameters }) =>
    name === TOOL_SEARCH
      ? {
          type: 'provider',
          id: 'openai.tool_search',
          name,
          args: { execution: 'client', description, parameters },
        }
      : undefined,
  bridgeInput: (name, input) => {
    const unwrapped = searchArguments(name, parsedJson(input));
    return unwrapped === undefined ? input : JSON.stringify(unwrapped);
  },
};

/** The arguments inside the input that the provider passes on for a call of `tool_search`. */
export function searchArguments(name: string, input: unknown): unknown {
  const isWrapped = name === TOOL_SEARCH && ownProperty(input, 'call_id') !== undefined;
  return isWrapped ? (ownProperty(input, 'arguments') ?? {}) : undefined;
}

function additionalTools(
  tools: readonly ToolDefinition[],
  { isFirst }: AppendPosition,
): LanguageModelV4Message[] {
  const providerOptions = { openai: { additionalTools: tools.map(asFunction) } };
  const items: LanguageModelV4Message = { role: 'system', content: '', providerOptions };
  return isFirst ? [items] : [{ role: 'system', content: INCREMENT }, items];
}

/** The output of the provider's own search. Each of its calls needs this form, even without tools. */
function searchOutput({ wireName, output, delivery }: LoaderResult): SearchOutput | undefined {
  if (wireName !== TOOL_SEARCH) return;
  const tools = delivery?.tools ?? [];
  const result = delivery?.result ?? ('value' in output ? output.value : undefined);
  const groupId = ownProperty(result, 'group_id');
  const value = { tools: tools.length === 0 ? [] : [asNamespace(String(groupId), tools)] };
  // Without tools, the whole result is a remark.
  const remarks =
    tools.length > 0 && isRecord(result)
      ? remarksOf(result as JsonObject)
      : `[Notice from the application, not from the user: ${wireName} answers ${JSON.stringify(result)}]`;
  return {
    output: { type: 'json', value },
    ...(tools.length > 0 ? { namespace: groupSlug(String(groupId)) } : {}),
    ...(remarks === undefined ? {} : { remarks }),
  };
}

function asNamespace(groupId: string, tools: readonly ToolDefinition[]): JSONObject {
  const name = groupSlug(groupId);
  // A browser may hold the result: no other text of it may appear at the level of tools.
  const description = `Tools of ${name}.`;
  return { type: 'namespace', name, description, tools: tools.map(asFunction) };
}

function asFunction({ name, description, parameters }: ToolDefinition): JSONObject {
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters as JSONObject,
    // The provider sends declared functions with this value. Without it, the API applies its strict mode.
    strict: false,
  };
}
