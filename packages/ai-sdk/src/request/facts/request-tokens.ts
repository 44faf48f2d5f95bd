import type { ToolRequest } from '@toolfold/core/internal/tools/calls';
import { definitionTokens } from '@toolfold/core/internal/tools/tokens';
import type { TokenCounter } from '@toolfold/core/internal/tools/tool';
import { isRecord, ownProperty } from '@toolfold/core/internal/tools/values';
import type { WireTool } from '../../declared-tools/index.ts';
import { addedCounter } from '../../native/index.ts';
import type { LanguageModelV4CallOptions } from '../../protocol/index.ts';
import type { SegmentLabel } from './labels.ts';
import { LastSent } from './last-sent.ts';
import { type SentTo, senderOf } from './message-texts.ts';
import { sum } from './segment.ts';
import type { PartTokens } from './segments.ts';
import { SentMessage } from './sent-message.ts';

/** Tokens of one request as it is sent. Each text and the JSON of each schema and input is counted on its own. */
export interface RequestTokens {
  /** Schemas of the app's tools and of tools that are declared from the start. */
  readonly inline: number;
  /** Schemas of the bridge tools. */
  readonly bridges: number;
  /** Schemas that were loaded later, without those in messages. */
  readonly loaded: number;
  /** Schemas that were loaded later, wherever they stand. */
  readonly later: number;
  /** The whole system text. */
  readonly system: number;
  /** The part of the system text that is the catalog. */
  readonly catalog: number;
  readonly messages: number;
  /** The sum of `inline`, `bridges`, `loaded`, `system` and `messages`. `system` contains the catalog. */
  readonly total: number;
  /**
   * What the request would have with the schemas of all tools declared from the start, without a catalog and
   * without bridge tools. A schema that has not loaded counts as what its group reports, or as a typical one.
   */
  readonly eager: number;
}

/** The tokens of a request, and of its parts. */
export interface CountedRequest {
  readonly tokens: Omit<RequestTokens, 'later' | 'eager'>;
  readonly parts: PartTokens;
}

const NOTHING = { system: 0, messages: 0 };

const FIELDS = {
  'inline-tools': 'inline',
  'bridge-tools': 'bridges',
  'loaded-schemas': 'loaded',
} as const;

/**
 * Counts a request in such a way that a recorded body gives the same count. `declared`: the name of a tool that
 * this request declares because its call is forced.
 */
export function countWireRequest(
  params: LanguageModelV4CallOptions,
  turn: ToolRequest,
  model: SentTo,
  countTokens: TokenCounter,
  last: LastSent,
  sent: readonly SentMessage[],
  declared?: string,
): CountedRequest {
  const { epoch, presentation } = turn;
  const bridges = new Set(epoch.bridges.map((tool) => tool.name));
  const later = new Set(
    presentation.tools
      .slice(epoch.ownNames.length + epoch.groupTools.length + epoch.bridges.length)
      .map((tool) => tool.name),
  );
  if (declared !== undefined) later.add(declared);
  const fields = { inline: 0, bridges: 0, loaded: 0 };
  const tools = (params.tools ?? []).map((tool): { label: SegmentLabel; tokens: number } => {
    if (isDeferred(tool)) return { label: 'deferred-tools', tokens: 0 };
    const isLater = later.has(tool.name) ? 'loaded-schemas' : 'inline-tools';
    const label = bridges.has(tool.name) ? 'bridge-tools' : isLater;
    const tokens = wireToolTokens(tool, countTokens);
    fields[FIELDS[label]] += tokens;
    return { label, tokens };
  });
  const counted = last.count(sent, senderOf(params, model), countTokens);
  const { system, messages } = counted.sums.at(-1) ?? NOTHING;
  const counts = counted.added.length > 0 ? [...counted.counts] : counted.counts;
  const addedIn = addedCounter(params, countTokens);
  for (const { at, lists } of counted.added) {
    const more = addedIn(lists);
    fields.loaded += sum(more);
    counts[at] = (counts[at] ?? []).map((count, part) => count + (more[part] ?? 0));
  }
  const catalog = presentation.system === '' ? 0 : countTokens(presentation.system);
  const total = fields.inline + fields.bridges + fields.loaded + system + messages;
  return {
    tokens: { ...fields, system, messages, catalog, total },
    parts: { tools, messages: counts, catalog },
  };
}

/** Counts a request without tools in the same way. */
export function countPlainRequest(
  params: LanguageModelV4CallOptions,
  model: SentTo,
  countTokens: TokenCounter,
  last: LastSent,
  sent: readonly SentMessage[],
): CountedRequest {
  const counted = last.count(sent, senderOf(params, model), countTokens);
  const sums = counted.sums.at(-1) ?? NOTHING;
  const total = sums.system + sums.messages;
  const none = { inline: 0, bridges: 0, loaded: 0, catalog: 0 };
  return {
    tokens: { ...none, ...sums, total },
    parts: { tools: [], messages: counted.counts, catalog: 0 },
  };
}

/** Counts the texts of a prompt in the form of the provider's request body. */
export function countPrompt(
  params: LanguageModelV4CallOptions,
  model: SentTo,
  countTokens: TokenCounter,
): Pick<RequestTokens, 'system' | 'messages'> {
  // Nothing is kept, so nothing needs a copy.
  const sent = params.prompt.map((message) => new SentMessage(message, true));
  return countPlainRequest(params, model, countTokens, new LastSent(), sent).tokens;
}

/** The names of the tools that the model sees although no message refers to them. */
export function visibleNames(tools: readonly WireTool[]): ReadonlySet<string> {
  return new Set(tools.filter((tool) => !isDeferred(tool)).map(({ name }) => name));
}

/** Whether the tool is declared as deferred: the model does not see it before a message refers to it. */
function isDeferred(tool: WireTool): boolean {
  const options = tool.type === 'function' ? tool.providerOptions : undefined;
  return options !== undefined && ownProperty(options.anthropic, 'deferLoading') === true;
}

function wireToolTokens(tool: WireTool, countTokens: TokenCounter): number {
  if (tool.type === 'provider') {
    const { description, parameters } = tool.args;
    if (tool.id !== 'openai.tool_search' || !isRecord(parameters))
      return countTokens(JSON.stringify({ name: tool.name, args: tool.args }));
    const definition = { name: 'tool_search', description: String(description), parameters };
    return definitionTokens(definition, countTokens);
  }
  const { name, description, inputSchema: parameters } = tool;
  return definitionTokens(
    { name, ...(description === undefined ? {} : { description }), parameters },
    countTokens,
  );
}
