import type { ScoreSigns } from '../contract/index.ts';
import type { DocumentVectors, ToolIndex } from '../documents/index.ts';
import type { NearestTools, ReferenceCorpus } from '../reference-corpus/index.ts';
import { stem, wordWeight } from '../terms/index.ts';
import type { PostingLookup } from './posting-lookup.ts';
import type { QueryTerm } from './query-terms.ts';
import type { Ranked } from './ranked.ts';

/** The weight of a posting from which on a document fully answers a word. */
const FULL_WEIGHT = 1.2;
/** The similarity of a word and a document from which on the document fully answers the word. */
const FULL_SIMILARITY = 0.6;

/** No tool answers more than so much of a query: some four words that say much. A sentence has more. */
const MOST_WEIGHT = 2.8;

/** A word of the query with what the signs depend on. */
interface SignTerm extends QueryTerm {
  /** How much the word says in tools of all kinds, from 0 to 1. */
  readonly weight: number;
  /** Whether a tool of the reference corpus has the word. */
  readonly isInReference: boolean;
}

/**
 * Reads the signs of documents for one query. They do not depend on the other documents: the share of
 * the query's words that a document contains, each with how much the word says in tools of all kinds,
 * and how well the tools of the reference corpus answer the same query. That a tool can also `get`
 * something says little.
 */
export class Evidence {
  readonly #index: ToolIndex;
  readonly #lookup: PostingLookup;
  readonly #terms: readonly SignTerm[];
  readonly #vectors: DocumentVectors | undefined;
  /** The vectors of the terms, in their order. */
  readonly #termVectors: readonly Float32Array[];
  readonly #total: number;
  /** By document. */
  readonly #known = new Map<number, ScoreSigns>();
  readonly #referenceWords: number;
  readonly #nearest: NearestTools | undefined;

  constructor(
    index: ToolIndex,
    lookup: PostingLookup,
    terms: readonly QueryTerm[],
    referenceCorpus: ReferenceCorpus,
    vectors: DocumentVectors | undefined,
  ) {
    this.#index = index;
    this.#lookup = lookup;
    this.#vectors = vectors;
    const stemWeights = new Map<string, number>();
    const weighed: { term: QueryTerm; root: string; weight: number }[] = [];
    for (const term of terms) {
      const root = stem(term.known);
      const weight = wordWeight(term.known);
      const before = stemWeights.get(root) ?? 0;
      stemWeights.set(root, before + term.count * weight * (term.trust || 1));
      weighed.push({ term, root, weight });
    }
    const inReference = referenceCorpus.stemsAmong(stemWeights.keys());
    this.#terms = weighed.map(({ term, root, weight }) => {
      return { ...term, weight, isInReference: inReference.has(root) };
    });
    const words = terms.map(({ word }) => word);
    const [whole, ...each] = vectors?.queries([words, ...words.map((word) => [word])]) ?? [];
    this.#termVectors = each;
    const total = this.#terms.reduce((sum, { count, weight }) => sum + count * weight, 0);
    this.#total = Math.min(total, MOST_WEIGHT);
    this.#referenceWords = this.#shareOf(referenceCorpus.highestWeight(stemWeights));
    this.#nearest = whole && referenceCorpus.nearest(whole);
  }

  /** The signs of a hit. */
  of(hit: Ranked): ScoreSigns {
    const signs = this.#known.get(hit.document) ?? this.#read(hit);
    this.#known.set(hit.document, signs);
    return signs;
  }

  #read({ document, position, similarity }: Ranked): ScoreSigns {
    let words = 0;
    let meaning = 0;
    let missing = 0;
    const near = this.#vectors?.similarities(this.#termVectors, document) ?? [];
    for (const [at, term] of this.#terms.entries()) {
      const { weight, count, isInReference, stem: number, trust } = term;
      const word = this.#contained(number, trust, position);
      const answered = Math.max(word, Math.min(1, (near[at] ?? 0) / FULL_SIMILARITY));
      words += count * weight * word;
      meaning += count * weight * answered;
      if (isInReference) missing = Math.max(missing, weight * (1 - answered));
    }
    return {
      words: this.#shareOf(words),
      missing,
      referenceWords: this.#referenceWords,
      meaning: this.#vectors ? this.#shareOf(meaning) : 0,
      similarity,
      referenceSimilarity: this.#nearest?.similarity ?? 0,
      likeness: this.#vectors ? (this.#nearest?.likeness(this.#vectors, document) ?? 0) : 0,
    };
  }

  /** The share of the query that a weight is. */
  #shareOf(weight: number): number {
    return this.#total === 0 ? 0 : Math.min(1, weight / this.#total);
  }

  /** How well a document contains a stem, from 0 to 1. */
  #contained(number: number, trust: number, position: number): number {
    if (number < 0 || trust === 0) return 0;
    const { stems } = this.#index;
    const at = this.#lookup.places(stems, number)[position] ?? -1;
    return at < 0 ? 0 : trust * Math.min(1, stems.weight(at) / FULL_WEIGHT);
  }
}
