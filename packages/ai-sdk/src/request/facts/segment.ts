import { hashText, isRecord } from '@toolfold/core/internal/tools/values';
import type { SegmentLabel } from './labels.ts';

/** One part of a request as the provider caches it. */
export interface Segment {
  readonly kind: 'tools' | 'system' | 'message';
  /** What it is. */
  readonly label: SegmentLabel;
  readonly tokens: number;
  /** SHA-256 of its JSON, in hex. Markers of a cache are left out of the JSON. */
  readonly hash: string;
}

/** A part of a request that becomes a segment. */
export type Part = Omit<Segment, 'hash'> & { readonly value: unknown };

/** A segment with what it is of. */
export interface Written {
  readonly segment: Segment;
  readonly value: unknown;
  /** Its JSON, if the value may have changed since. */
  readonly text: string | undefined;
}

/** Parts of a request that it would have without Toolfold too. */
const OWN: ReadonlySet<SegmentLabel> = new Set([
  'inline-tools',
  'system-text',
  'tool-results',
  'history',
]);

/** Whether a request without Toolfold would have the segment too. */
export function isOwn({ label }: Segment): boolean {
  return OWN.has(label);
}

/** Characters of a SHA-256 in hex. */
const DIGITS = 64;

/** The segment of a part. `isConstant`: nobody changes the value. */
export function writtenPart({ value, ...part }: Part, isConstant: boolean): Written {
  const text = JSON.stringify(value, plainPart);
  const segment = { ...part, hash: hashText(text, DIGITS) };
  return { segment, value, text: isConstant ? undefined : text };
}

/** The JSON of a segment. */
export function textOf({ value, text }: Written): string {
  return text ?? JSON.stringify(value, plainPart);
}

interface Run<T> {
  readonly label: SegmentLabel;
  tokens: number;
  readonly values: T[];
}

/** Neighbours with the same label, together. */
export function runsOf<T>(
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

export function sum(counts: readonly number[]): number {
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
