import type { ToolIndex, View } from '../documents/index.ts';
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
  /** The sum of the idf of the stems. */
  readonly idf: number;
}

/** Weighs terms: each stem once, and the exact words. `exact` is the share of exact words in a score. */
export function weighQuery(
  terms: readonly QueryTerm[],
  { stems, exacts }: ToolIndex,
  view: View,
  exact: number,
): QueryWeights {
  const found = new Map<number, { count: number; trust: number }>();
  for (const { stem, count, trust } of terms) {
    if (stem < 0 || trust === 0) continue;
    const before = found.get(stem);
    if (before === undefined) found.set(stem, { count, trust });
    else found.set(stem, { count: count + before.count, trust: Math.max(trust, before.trust) });
  }
  const weights = { stems: [] as WeightedTerm[], words: [] as WeightedTerm[], idf: 0 };
  for (const [term, { count, trust }] of found) {
    const documentFrequency = view.documentFrequency(stems, term);
    if (documentFrequency === 0) continue;
    const idf = trust * view.idf(documentFrequency);
    weights.stems.push({ term, idf, factor: (1 - exact) * (1 + Math.log(count)) * idf });
    weights.idf += idf;
  }
  for (const { exact: term, count, trust } of terms) {
    const documentFrequency = term < 0 || trust === 0 ? 0 : view.documentFrequency(exacts, term);
    if (documentFrequency === 0) continue;
    const idf = trust * view.idf(documentFrequency);
    weights.words.push({ term, idf, factor: exact * (1 + Math.log(count)) * idf });
  }
  return weights;
}
