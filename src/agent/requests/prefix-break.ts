import type { Segment } from '../../ai-sdk/index.ts';

/** The first part of a request that is not as it was sent before. */
export interface PrefixBreak {
  readonly index: number;
  readonly kind: Segment['kind'];
}

/**
 * Whether two requests can be compared. Earlier versions wrote segments without labels, and did not divide the
 * tools and the system text.
 */
export function areComparable(before: readonly Segment[], after: readonly Segment[]): boolean {
  const isLabelled = (segments: readonly Segment[]) =>
    segments.some(({ label }) => label !== undefined);
  return isLabelled(before) === isLabelled(after);
}

/**
 * Compares two requests of one conversation. Undefined if `after` begins with all segments of `before`.
 * Else the first segment of `before` that is missing or different.
 */
export function prefixBreak(
  before: readonly Segment[],
  after: readonly Segment[],
): PrefixBreak | undefined {
  const index = before.findIndex(({ kind, hash }, at) => {
    const now = after[at];
    return now?.kind !== kind || now.hash !== hash;
  });
  const segment = before[index];
  return segment && { index, kind: segment.kind };
}
