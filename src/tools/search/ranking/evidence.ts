import type { ScoreSigns } from '../contract/index.ts';
import type { DocumentVectors, ToolIndex } from '../documents/index.ts';
import type { ReferenceCorpus } from '../reference-corpus/index.ts';
import { stem, wordWeight } from '../terms/index.ts';
import type { PostingLookup } from './posting-lookup.ts';
import type { QueryTerm } from './query-weights.ts';
import type { Ranked } from './ranked.ts';

/** The weight of a posting from which on a document fully answers a word. */
const FULL_WEIGHT = 1.2;
/** The similarity of a word and a document from which on the document fully answers the word. */
const FULL_SIMILARITY = 0.6;

/** No tool answers more than so much of a query: some four words that say much. A sentence has more. */
const MOST_WEIGHT = 2.8;

interface WeighedTerm extends QueryTerm {
  /** How much the word says in tools of all kinds, from 0 to 1. */
  readonly says: number;
  readonly isInReference: boolean;
  readonly vector: Float32Array | undefined;
}

/**
 * Reads the signs of documents for one query. They do not depend on the other documents: the share of
 * the query's words that a document contains, each with how much the word says in tools of all kinds,
 * and how well tools elsewhere answer the same query. That a tool can also `get` something says little.
 */
export class Evidence {
  readonly #index: ToolIndex;
  readonly #lookup: PostingLookup;
  readonly #terms: readonly WeighedTerm[];
  readonly #vectors: DocumentVectors | undefined;
  readonly #total: number;
  /** By document. */
  readonly #known = new Map<number, ScoreSigns>();
  readonly #referenceWords: number;
  readonly #referenceSimilarity: number;

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
    const held = new Map<string, number>();
    this.#terms = terms.map((term) => {
      const one = stem(term.known);
      const says = wordWeight(term.known);
      held.set(one, (held.get(one) ?? 0) + term.count * says * (term.trust || 1));
      const vector = vectors?.query([term.word]);
      return { ...term, says, isInReference: referenceCorpus.has(one), vector };
    });
    const total = this.#terms.reduce((sum, { count, says }) => sum + count * says, 0);
    this.#total = Math.min(total, MOST_WEIGHT);
    this.#referenceWords = this.#shareOf(referenceCorpus.highestWeight(held));
    this.#referenceSimilarity = vectors
      ? referenceCorpus.similarity(vectors.query(terms.map(({ word }) => word)))
      : 0;
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
    for (const { says, count, isInReference, stem: own, trust, vector } of this.#terms) {
      const word = this.#contained(own, trust, position);
      const near = vector ? (this.#vectors?.similarity(vector, document) ?? 0) : 0;
      const answered = Math.max(word, Math.min(1, near / FULL_SIMILARITY));
      words += count * says * word;
      meaning += count * says * answered;
      if (isInReference) missing = Math.max(missing, says * (1 - answered));
    }
    return {
      words: this.#shareOf(words),
      missing,
      referenceWords: this.#referenceWords,
      meaning: this.#vectors ? this.#shareOf(meaning) : 0,
      similarity,
      referenceSimilarity: this.#referenceSimilarity,
    };
  }

  #shareOf(weight: number): number {
    return this.#total === 0 ? 0 : Math.min(1, weight / this.#total);
  }

  #contained(own: number, trust: number, position: number): number {
    if (own < 0 || trust === 0) return 0;
    const { stems } = this.#index;
    const at = this.#lookup.places(stems, own)[position] ?? -1;
    return at < 0 ? 0 : trust * Math.min(1, stems.weight(at) / FULL_WEIGHT);
  }
}
