import type { DocumentVectors, ToolIndex } from '../documents/index.ts';
import { wordWeight } from '../terms/index.ts';
import type { QueryTerm } from './scorer.ts';

/** The weight of a posting from which on a document fully answers a word. */
const FULL_WEIGHT = 1.2;
/** The similarity of a word and a document from which on the document fully answers the word. */
const FULL_SIMILARITY = 0.6;

/** No tool answers more than so much of a query: some four words that say much. A sentence has more. */
const MOST_WEIGHT = 2.8;

/**
 * How much of a query a document answers, from 0 to 1, on a scale that does not depend on the other
 * documents: the share of the query's words that it contains, each with how much the word says in tools
 * of all kinds. That a tool can also `get` something says little.
 */
export class Evidence {
  readonly #index: ToolIndex;
  readonly #terms: readonly (QueryTerm & { weight: number; vector: Float32Array | undefined })[];
  readonly #vectors: DocumentVectors | undefined;
  readonly #total: number;

  constructor(index: ToolIndex, terms: readonly QueryTerm[], vectors: DocumentVectors | undefined) {
    this.#index = index;
    this.#vectors = vectors;
    this.#terms = terms.map((term) => ({
      ...term,
      weight: term.count * wordWeight(term.word),
      vector: vectors?.query([term.word]),
    }));
    const total = this.#terms.reduce((sum, { weight }) => sum + weight, 0);
    this.#total = Math.min(total, MOST_WEIGHT);
  }

  /** `similarity` is that of the whole query. */
  of(document: number, similarity: number): number {
    if (this.#total === 0) return 0;
    let held = 0;
    for (const { weight, known, trust, vector } of this.#terms) {
      const word = this.#contained(known, trust, document);
      const meaning = vector ? (this.#vectors?.similarity(vector, document) ?? 0) : 0;
      held += weight * Math.max(word, Math.min(1, meaning / FULL_SIMILARITY));
    }
    const share = Math.min(1, held / this.#total);
    return this.#vectors ? (share + Math.max(0, similarity)) / 2 : share;
  }

  #contained(known: string, trust: number, document: number): number {
    const { vocabulary, stems } = this.#index;
    const stem = vocabulary.stemNumber(known);
    const at = stem === undefined || trust === 0 ? -1 : stems.find(stem, document);
    return at < 0 ? 0 : trust * Math.min(1, stems.weight(at) / FULL_WEIGHT);
  }
}
