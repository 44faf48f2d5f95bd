import { hashText, isRecord } from '../../../tools/values/index.ts';
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../../protocol/index.ts';
import { Labels, type SegmentLabel } from './labels.ts';

/** One part of a request as the provider caches it. */
export interface Segment {
  readonly kind: 'tools' | 'system' | 'message';
  /** What it is. Absent in entries of sessions that an earlier version has written. */
  readonly label?: SegmentLabel;
  readonly tokens: number;
  /** SHA-256 of its JSON, in hex. Markers of a cache are left out of the JSON. */
  readonly hash: string;
}

/** The segments of one request, and their JSON by hash. */
export interface Segments {
  readonly list: readonly Segment[];
  readonly texts: () => ReadonlyMap<string, string>;
}

/** The tokens of a request by its parts. */
export interface PartTokens {
  /** Of each tool, with its label. */
  readonly tools: readonly { readonly label: SegmentLabel; readonly tokens: number }[];
  /** Of each message of the prompt: its parts if it holds results, else one number. */
  readonly messages: readonly (readonly number[])[];
  readonly catalog: number;
}

type Params = Pick<LanguageModelV4CallOptions, 'tools' | 'prompt'>;
type Part = Omit<Segment, 'hash'> & { readonly value: unknown };

/** Characters of a SHA-256 in hex. */
const DIGITS = 64;

/**
 * Splits a request into segments, in wire order: the tools, the system text, the catalog, then each message.
 * Neighbours among the tools, and among the results of one message, are one segment if their label is the
 * same.
 */
export function segmentsOf(
  { tools = [], prompt }: Params,
  tokens: PartTokens,
  labels: Labels = new Labels(),
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
    ...prompt
      .slice(end)
      .flatMap((message, at) => messageParts(message, tokens.messages[end + at] ?? [], labels)),
  ];
  const written = parts.map(({ value, ...part }) => {
    const text = JSON.stringify(value, plainPart);
    return { text, segment: { ...part, hash: hashText(text, DIGITS) } };
  });
  return {
    list: written.map(({ segment }) => segment),
    texts: () => new Map(written.map(({ text, segment }) => [segment.hash, text])),
  };
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

function messageParts(
  message: LanguageModelV4Message,
  tokens: readonly number[],
  labels: Labels,
): readonly Part[] {
  const kind = 'message' as const;
  if (message.role !== 'tool' || message.content.length === 0) {
    const label = labels.of(message, message.role);
    return [{ kind, label, tokens: sum(tokens), value: message }];
  }
  const labelled = message.content.map((value, at) => {
    return { value, label: labels.of(value, 'tool'), tokens: tokens[at] ?? 0 };
  });
  return runsOf(labelled).map(({ label, tokens: counted, values }) => {
    return { kind, label, tokens: counted, value: { ...message, content: values } };
  });
}

interface Run<T> {
  readonly label: SegmentLabel;
  tokens: number;
  readonly values: T[];
}

/** Neighbours with the same label, together. */
function runsOf<T>(
  labelled: readonly { value: T; label: SegmentLabel; tokens: number }[],
): readonly Run<T>[] {
  const runs: Run<T>[] = [];
  for (const { value, label, tokens } of labelled) {
    const last = runs.at(-1);
    if (last?.label === label) {
      last.values.push(value);
      last.tokens += tokens;
    } else runs.push({ label, tokens, values: [value] });
  }
  return runs;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

/**
 * Leaves out `cacheControl`: the place of a marker is not part of what is cached. Bytes become a text,
 * because JSON would list them one by one.
 */
function plainPart(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // Buffers convert themselves before they get here.
  const raw = this[key];
  if (raw instanceof Uint8Array) return new TextDecoder('latin1').decode(raw);
  if (key !== 'providerOptions' || !isRecord(value)) return value;
  const others = Object.entries(value).flatMap(([provider, options]) => {
    if (!isRecord(options)) return [[provider, options]];
    const { cacheControl: _, cache_control: __, ...rest } = options;
    return Object.keys(rest).length > 0 ? [[provider, rest]] : [];
  });
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}
