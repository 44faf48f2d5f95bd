import type { ToolRequest } from '@toolfold/core/internal/calls';
import { definitionTokens, type TokenCounter } from '@toolfold/core/internal/tool';
import { isRecord, ownProperty } from '@toolfold/core/internal/values';
import {
  addedCounter,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Message,
  type WireTool,
} from '../protocol/index.ts';
import { LastSent, SentMessage } from './last-sent.ts';
import { type SentTo, senderOf } from './message-texts.ts';
import {
  isOwn,
  Labels,
  runsOf,
  type Segment,
  type SegmentLabel,
  type SegmentSource,
  sum,
  textOf,
  type Written,
} from './segments.ts';

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

/** The segments of one request, and their JSON by hash. */
export interface Segments {
  readonly list: readonly Segment[];
  /** The tokens of those that a request without Toolfold would not have. */
  readonly added: number;
  /** Of all segments, or of some. */
  readonly texts: (of?: readonly Segment[]) => ReadonlyMap<string, string>;
}

/** The tokens of a request by its parts. */
interface PartTokens {
  /** Of each tool, with its label. */
  readonly tools: readonly { readonly label: SegmentLabel; readonly tokens: number }[];
  /** Of each message of the prompt: its parts if it holds results, else one number. */
  readonly messages: readonly (readonly number[])[];
  readonly catalog: number;
}

const NO_LABELS = new Labels();

type Params = Pick<LanguageModelV4CallOptions, 'tools' | 'prompt'>;

/**
 * Splits a request into segments, in wire order: the tools, the system text, the catalog, then each message.
 * Neighbours among the tools, and among the results of one message, are one segment if their label is the
 * same.
 */
export function segmentsOf(
  { tools = [], prompt }: Params,
  tokens: PartTokens,
  labels: Labels = NO_LABELS,
  last: LastSent = new LastSent(),
  sent: readonly SentMessage[] = last.messages.of(prompt),
): Segments {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const start = first < 0 ? prompt.length : first;
  // Messages that append tools may stand before the first one of the conversation.
  const leads = prompt
    .slice(0, start)
    .findIndex((one) => labels.of(one, one.role) !== 'system-text');
  const end = leads < 0 ? start : leads;
  const parts: SegmentSource[] = [
    ...toolParts(tools, tokens.tools),
    ...systemParts(prompt.slice(0, end), sum(tokens.messages.slice(0, end).flat()), tokens, labels),
  ];
  const frame = last.frame.of(parts);
  const counts = tokens.messages;
  const of = { prompt, sent, counts, labels, start: end };
  const { written, list, added: ofMessages } = last.segment(frame, of);
  const ofFrame = frame.flatMap(({ segment }) => (isOwn(segment) ? [] : segment.tokens));
  const added = sum(ofFrame) + ofMessages;
  return { list, added, texts: (of = list) => textsIn(written, new Set(of)) };
}

/** What is asked for is mostly what is new, at the end. */
function textsIn(written: readonly Written[], wanted: ReadonlySet<Segment>): Map<string, string> {
  let from = written.length;
  for (let left = wanted.size; from > 0 && left > 0; )
    if (wanted.has((written[--from] as Written).segment)) left--;
  const found = written.slice(from).filter(({ segment }) => wanted.has(segment));
  return new Map(found.map((one) => [one.segment.hash, textOf(one)]));
}

function toolParts(
  tools: NonNullable<Params['tools']>,
  counted: PartTokens['tools'],
): readonly SegmentSource[] {
  const labelled = tools.map((value, at) => ({
    value,
    label: counted[at]?.label ?? ('inline-tools' as const),
    tokens: counted[at]?.tokens ?? 0,
  }));
  return runsOf(labelled).map(({ label, tokens, values }) => {
    return { kind: 'tools', label, tokens, value: values };
  });
}

function systemParts(
  messages: readonly LanguageModelV4Message[],
  tokens: number,
  { catalog: counted }: PartTokens,
  { catalog }: Labels,
): readonly SegmentSource[] {
  if (messages.length === 0) return [];
  const kind = 'system' as const;
  if (!catalog) return [{ kind, label: 'system-text', tokens, value: messages }];
  // The catalog stands behind the app's text in one message, so their tokens are not counted alone.
  const ofCatalog = Math.min(counted, tokens);
  const own = messages.flatMap((one) => (one === catalog.message ? (catalog.own ?? []) : [one]));
  const text = { role: 'system', content: catalog.text };
  const ofText = tokens - (own.length > 0 ? ofCatalog : tokens);
  return [
    ...(own.length > 0
      ? [{ kind, label: 'system-text' as const, tokens: ofText, value: own }]
      : []),
    { kind, label: 'catalog', tokens: tokens - ofText, value: [text] },
  ];
}
