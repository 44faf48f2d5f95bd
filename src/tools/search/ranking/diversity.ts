import type { Ranked } from './ranked.ts';

/** The number of first hits that are put in order. */
const REORDERED = 40;

/** A stem of a query. */
export interface StemRow {
  readonly idf: number;
  /** For each document of the search, its place in the list of the stem, or -1. */
  readonly places: Int32Array;
}

/** A hit that is not yet in the order. */
interface Candidate {
  readonly hit: Ranked;
  /** The stems that it contains. */
  readonly contained: readonly number[];
  /** The sum of the idf of these stems. */
  readonly idf: number;
}

/**
 * Puts the first hits in order one by one: words of the query that chosen hits contain count half for
 * the next ones. A query for several things thus finds tools for each. `diversity` is the share of a
 * score that depends on this. Hits by name stay in front.
 */
export function inDiverseOrder(
  ranked: readonly Ranked[],
  stems: readonly StemRow[],
  diversity: number,
): readonly Ranked[] {
  if (diversity === 0 || stems.length < 2) return ranked;
  const left = Float64Array.from(stems, ({ idf }) => idf);
  const open = ranked.slice(0, REORDERED).map((hit) => candidateOf(hit, stems));
  const chosen: Ranked[] = [];
  while (open.length > 0) {
    const next = open[bestCandidate(open, left, diversity)];
    if (next === undefined) break;
    open.splice(open.indexOf(next), 1);
    chosen.push(next.hit);
    for (const i of next.contained) left[i] = (left[i] ?? 0) / 2;
  }
  return [...chosen, ...ranked.slice(REORDERED)];
}

function candidateOf(hit: Ranked, stems: readonly StemRow[]): Candidate {
  const contained: number[] = [];
  let sum = 0;
  for (let i = 0; i < stems.length; i++) {
    const stem = stems[i];
    if (stem === undefined || (stem.places[hit.position] ?? -1) < 0) continue;
    contained.push(i);
    sum += stem.idf;
  }
  return { hit, contained, idf: sum };
}

/** The position of the best hit among the first ones that match the name equally well. */
function bestCandidate(open: readonly Candidate[], left: Float64Array, diversity: number): number {
  const first = open[0]?.hit.nameMatch;
  let best = 0;
  let most = -1;
  for (let at = 0; at < open.length; at++) {
    const one = open[at];
    if (one === undefined || one.hit.nameMatch !== first) break;
    // The hits are in the order of their scores, and no value is above its score.
    if (one.hit.score <= most) break;
    let notCovered = 0;
    for (const i of one.contained) notCovered += left[i] ?? 0;
    const share = one.idf === 0 ? 1 : notCovered / one.idf;
    const value = one.hit.score * (1 - diversity * (1 - share));
    if (value <= most) continue;
    most = value;
    best = at;
  }
  return best;
}
