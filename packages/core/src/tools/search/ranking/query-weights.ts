import type { ToolIndex, View } from '../documents/index.ts';
import type { Postings } from '../terms/index.ts';
import type { QueryTerm } from './query-terms.ts';

/** A stem or an exact word that visible documents contain. */
export interface WeightedTerm {
  /** The number of the stem or of the word. */
  readonly term: number;
  /** What the weight of a posting is multiplied by. */
  readonly factor: number;
  /** The inverse document frequency among the visible documents, times the trust. */
  readonly idf: number;
}

/** The weights of a query, or of one clause of it, in a view. */
export interface QueryWeights {
  readonly stems: readonly WeightedTerm[];
  readonly words: readonly WeightedTerm[];
}

/** Weighs terms: each stem once, and the exact words. `exact` is the share of exact words in a score. */
export function weighQuery(
  terms: readonly QueryTerm[],
  { stems, exacts }: ToolIndex,
  view: View,
  exact: number,
): QueryWeights {
  const trustOf = new Map<number, number>();
  for (const { stem, trust } of terms)
    if (stem >= 0) trustOf.set(stem, Math.max(trust, trustOf.get(stem) ?? 0));
  const weigh = (postings: Postings, term: number, trust: number, share: number) => {
    const documentFrequency = term < 0 || trust === 0 ? 0 : view.documentFrequency(postings, term);
    if (documentFrequency === 0) return [];
    const idf = trust * view.idf(documentFrequency);
    return [{ term, idf, factor: share * idf }];
  };
  return {
    stems: [...trustOf].flatMap(([term, trust]) => weigh(stems, term, trust, 1 - exact)),
    words: terms.flatMap(({ exact: term, trust }) => weigh(exacts, term, trust, exact)),
  };
}
