import type { DocumentVectors, View } from '../documents/index.ts';
import type { Action, Weights } from '../terms/index.ts';
import type { Query } from './query.ts';

/** How many documents similarity in meaning adds. */
const NEAREST = 30;
/** The number of words from which on similarity in meaning counts less. */
const SENTENCE = 12;
/** What similarity is reduced by if a tool does something else than the query asks for. */
export const OTHER_ACTION = 0.1;

/** The similarity in meaning of documents to a query and to its best clause. */
export class Meaning {
  /** What similarity adds to a score, in units of the best score. */
  readonly #weight: number;
  readonly #vectors: DocumentVectors;
  readonly #whole: Float32Array;
  readonly #actions: ReadonlySet<Action>;
  readonly #clauses: readonly Float32Array[];

  constructor(vectors: DocumentVectors, { words, clauses, actions }: Query, weights: Weights) {
    this.#vectors = vectors;
    const [whole = new Float32Array(), ...others] = vectors.queries([words, ...clauses]);
    this.#whole = whole;
    this.#actions = actions;
    this.#clauses = others;
    // One vector says less of a text the more things the text is about.
    this.#weight = weights.meaning * Math.min(1, SENTENCE / words.length);
  }

  /**
   * What similarity adds to a score. It counts more where even the best document, with the score `top`, has
   * few words of the query: one that had those that say most would have a score near to `ideal`.
   */
  weight(top: number, ideal: number): number {
    return this.#weight * Math.max(top || 1, ideal);
  }

  nearest(view: View): readonly number[] {
    return this.#vectors.nearest(this.#whole, NEAREST, view).map(({ document }) => document);
  }

  similarity(document: number): number {
    const whole = this.#vectors.similarity(this.#whole, document);
    if (this.#clauses.length === 0) return whole;
    const best = Math.max(-1, ...this.#vectors.similarities(this.#clauses, document));
    // No tool is near to all that a long query asks for.
    return (whole + best) / 2;
  }

  /** Whether a tool is known to do something else than the query asks for. */
  doesOther(action: Action | undefined): boolean {
    return action !== undefined && this.#actions.size > 0 && !this.#actions.has(action);
  }
}
