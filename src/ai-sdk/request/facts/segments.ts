import { hashText, isRecord, ownProperty } from '../../../tools/values/index.ts';
import type { LanguageModelV4CallOptions } from '../../protocol/index.ts';

/** One part of a request as the provider caches it. */
export interface Segment {
  readonly kind: 'tools' | 'system' | 'message';
  readonly tokens: number;
  /** SHA-256 of its JSON, in hex. Markers of a cache are left out of the JSON. */
  readonly hash: string;
}

/** The segments of one request, and their JSON by hash. */
export interface Segments {
  readonly list: readonly Segment[];
  readonly texts: () => ReadonlyMap<string, string>;
}

/** Characters of a SHA-256 in hex. */
const DIGITS = 64;

/**
 * Splits a request into segments, in wire order: the tools, the system text, then each message.
 * `tokens`: of all tools, and of each message of the prompt.
 */
export function segmentsOf(
  { tools = [], prompt }: Pick<LanguageModelV4CallOptions, 'tools' | 'prompt'>,
  tokens: { readonly tools: number; readonly messages: readonly number[] },
): Segments {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const start = first < 0 ? prompt.length : first;
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const parts: { kind: Segment['kind']; tokens: number; value: unknown }[] = [
    ...(tools.length > 0 ? [{ kind: 'tools' as const, tokens: tokens.tools, value: tools }] : []),
    ...(start > 0
      ? [
          {
            kind: 'system' as const,
            tokens: sum(tokens.messages.slice(0, start)),
            value: prompt.slice(0, start),
          },
        ]
      : []),
    ...prompt.slice(start).map((value, index) => {
      return { kind: 'message' as const, tokens: tokens.messages[start + index] ?? 0, value };
    }),
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

/**
 * Leaves out `cacheControl`: the place of a marker is not part of what is cached. Bytes become a text,
 * because JSON would list them one by one.
 */
function plainPart(this: unknown, key: string, value: unknown): unknown {
  const raw = ownProperty(this, key);
  if (raw instanceof Uint8Array) return new TextDecoder('latin1').decode(raw);
  if (key !== 'providerOptions' || !isRecord(value)) return value;
  const others = Object.entries(value).flatMap(([provider, options]) => {
    if (!isRecord(options)) return [[provider, options]];
    const { cacheControl: _, cache_control: __, ...rest } = options;
    return Object.keys(rest).length > 0 ? [[provider, rest]] : [];
  });
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}
