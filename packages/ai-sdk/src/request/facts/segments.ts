import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../../protocol/index.ts';
import { Labels, type SegmentLabel } from './labels.ts';
import { LastSent } from './last-sent.ts';
import { isOwn, type Part, runsOf, type Segment, sum, textOf, type Written } from './segment.ts';
import type { SentMessage } from './sent-message.ts';

/** The segments of one request, and their JSON by hash. */
export interface Segments {
  readonly list: readonly Segment[];
  /** The tokens of those that a request without Toolfold would not have. */
  readonly added: number;
  /** Of all segments, or of some. */
  readonly texts: (of?: readonly Segment[]) => ReadonlyMap<string, string>;
}

/** The tokens of a request by its parts. */
export interface PartTokens {
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
  const parts: Part[] = [
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
): readonly Part[] {
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
): readonly Part[] {
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
