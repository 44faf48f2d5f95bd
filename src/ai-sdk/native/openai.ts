import type { JSONObject, LanguageModelV4Message } from '@ai-sdk/provider';
import { groupSlug } from '../../tools/names/index.ts';
import { OTHER_SEARCH_NAME } from '../../tools/strategies/index.ts';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import { isRecord, type JsonObject, own } from '../../tools/values/index.ts';
import { saidBeside } from './beside.ts';
import type { LoaderResult, NativeWriter, Place, SearchOutput } from './writer.ts';

/** The name that models know OpenAI's own search by. */
const TOOL_SEARCH = 'tool_search';

/** Without it, models take the latest additions for all there are (measured by the pi project, October 2026). */
const INCREMENT =
  'The tools that follow are additional ones: all tools you had before are still yours to use.';

/** `additional_tools` items between the others. */
export const openaiAdditional: NativeWriter = {
  append: { id: 'openai-additional', declares: 'nothing', anywhere: true },
  messages: additionalTools,
};

/**
 * The loader is OpenAI's own `tool_search`, run by the client: its output holds the definitions, by
 * group. What was found by searching comes as `additional_tools`.
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
    const wanted = searchArguments(name, parsed(input));
    return wanted === undefined ? input : JSON.stringify(wanted);
  },
};

/** The arguments in what the provider hands on as the input of a call of `tool_search`. */
export function searchArguments(name: string, input: unknown): unknown {
  const isWrapped = name === TOOL_SEARCH && own(input, 'call_id') !== undefined;
  return isWrapped ? (own(input, 'arguments') ?? {}) : undefined;
}

function additionalTools(
  tools: readonly ToolDefinition[],
  { isFirst }: Place,
): LanguageModelV4Message[] {
  const providerOptions = { openai: { additionalTools: tools.map(asFunction) } };
  const items: LanguageModelV4Message = { role: 'system', content: '', providerOptions };
  return isFirst ? [items] : [{ role: 'system', content: INCREMENT }, items];
}

/** Every call of the provider's own search has an output of its own kind, with tools or without. */
function searchOutput({ wireName, output, delivery }: LoaderResult): SearchOutput | undefined {
  if (wireName !== TOOL_SEARCH) return;
  const tools = delivery?.tools ?? [];
  const said = delivery?.result ?? ('value' in output ? output.value : undefined);
  const groupId = own(said, 'group_id');
  const value = { tools: tools.length === 0 ? [] : [asNamespace(String(groupId), tools)] };
  // With nothing to show, the whole result is what there is to say.
  const beside =
    tools.length > 0 && isRecord(said)
      ? saidBeside(said as JsonObject)
      : `[Notice from the application, not from the user: ${wireName} answers ${JSON.stringify(said)}]`;
  return {
    output: { type: 'json', value },
    ...(tools.length > 0 ? { namespace: groupSlug(String(groupId)) } : {}),
    ...(beside === undefined ? {} : { beside }),
  };
}

function asNamespace(groupId: string, tools: readonly ToolDefinition[]): JSONObject {
  const name = groupSlug(groupId);
  // Of the result, which a browser may hold, nothing else is shown at the level of tools.
  const description = `Tools of ${name}.`;
  return { type: 'namespace', name, description, tools: tools.map(asFunction) };
}

function asFunction({ name, description, parameters }: ToolDefinition): JSONObject {
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters as JSONObject,
    // As the provider sends declared functions; left out, the API would hold schemas to its strict mode.
    strict: false,
  };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return;
  }
}
