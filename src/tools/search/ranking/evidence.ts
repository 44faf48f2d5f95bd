import type { DocumentVectors, ToolIndex } from '../documents/index.ts';
import { wordWeight } from '../terms/index.ts';
import type { QueryTerm } from './asked.ts';
import type { Holdings } from './holdings.ts';
import type { Ranked } from './ranked.ts';

/** The weight of a posting from which on a document fully answers a word. */
const FULL_WEIGHT = 1.2;
/** The similarity of a word and a document from which on the document fully answers the word. */
const FULL_SIMILARITY = 0.6;

/** No tool answers more than so much of a query: some four words that say much. A sentence has more. */
const MOST_WEIGHT = 2.8;

interface WeighedTerm extends QueryTerm {
  readonly weight: number;
  readonly vector: Float32Array | undefined;
}

/**
 * How much of a query a document answers, from 0 to 1, on a scale that does not depend on the other
 * documents: the share of the query's words that it contains, each with how much the word says in tools
 * of all kinds. That a tool can also `get` something says little.
 */
export class Evidence {
  readonly #index: ToolIndex;
  readonly #holdings: Holdings;
  readonly #terms: readonly WeighedTerm[];
  readonly #vectors: DocumentVectors | undefined;
  readonly #total: number;

  constructor(
    index: ToolIndex,
    holdings: Holdings,
    terms: readonly QueryTerm[],
    vectors: DocumentVectors | undefined,
  ) {
    this.#index = index;
    this.#holdings = holdings;
    this.#vectors = vectors;
    this.#terms = terms.map((term) => ({
      ...term,
      weight: term.count * wordWeight(term.word),
      vector: vectors?.query([term.word]),
    }));
    const total = this.#terms.reduce((sum, { weight }) => sum + weight, 0);
    this.#total = Math.min(total, MOST_WEIGHT);
  }

  of({ document, position, similarity }: Ranked): number {
    if (this.#total === 0) return 0;
    let held = 0;
    for (const { weight, stem, trust, vector } of this.#terms) {
      const word = this.#contained(stem, trust, position);
      const meaning = vector ? (this.#vectors?.similarity(vector, document) ?? 0) : 0;
      held += weight * Math.max(word, Math.min(1, meaning / FULL_SIMILARITY));
    }
    const share = Math.min(1, held / this.#total);
    return this.#vectors ? (share + Math.max(0, similarity)) / 2 : share;
  }

  #contained(stem: number, trust: number, position: number): number {
    if (stem < 0 || trust === 0) return 0;
    const { stems } = this.#index;
    const at = this.#holdings.places(stems, stem)[position] ?? -1;
    return at < 0 ? 0 : trust * Math.min(1, stems.weight(at) / FULL_WEIGHT);
  }
}
