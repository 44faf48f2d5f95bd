import { byCodePoint } from '../values/index.ts';
import type { DocumentVectors } from './document-vectors.ts';
import type { Action, Weights } from './fields.ts';
import { Postings } from './postings.ts';
import type { Query, QueryWeights, WeightedTerm } from './query.ts';
import type { ToolIndex } from './tool-index.ts';
import { type Scored, TopDocuments, type VisibleDocuments } from './view.ts';

/** Finds the documents of one search in the posting lists of terms. Each list is read once. */
export class PostingLookup {
  /** In rising order. */
  readonly documents: Uint32Array;
  readonly #places = new Map<Postings, Map<number, Int32Array>>();

  constructor(documents: Iterable<number>) {
    this.documents = Uint32Array.from(documents).sort();
  }

  /** The place of each document in the list of a term, or -1. */
  places(postings: Postings, term: number): Int32Array {
    let byTerm = this.#places.get(postings);
    if (byTerm === undefined) {
      byTerm = new Map();
      this.#places.set(postings, byTerm);
    }
    let places = byTerm.get(term);
    if (places === undefined) {
      places = postings.places(term, this.documents);
      byTerm.set(term, places);
    }
    return places;
  }
}

/** Adds up the scores of documents term by term, in arrays that one search after the other uses. */
export class Scorer {
  readonly #index: ToolIndex;
  #sums = new Float32Array(0);
  #touched = new Uint32Array(0);
  #count = 0;

  constructor(index: ToolIndex) {
    this.#index = index;
  }

  /**
   * Scores the visible documents that contain a word of a query, or a word with the same stem, and
   * returns the best `limit`, in no order. Equal scores are ordered by key.
   */
  best(query: QueryWeights, view: VisibleDocuments, limit: number): readonly Scored[] {
    this.#reserve();
    for (const stem of query.stems) this.#add(stem, this.#index.stems, view);
    for (const word of query.words) this.#add(word, this.#index.exacts, view);
    return this.#finish(limit);
  }

  /** The scores of the documents of a search, in their order. */
  scores(query: QueryWeights, lookup: PostingLookup): Float64Array {
    const { stems, exacts } = this.#index;
    const sums = new Float64Array(lookup.documents.length);
    const add = ({ term, factor }: WeightedTerm, postings: Postings) => {
      for (const [i, at] of lookup.places(postings, term).entries())
        if (at >= 0) sums[i] = (sums[i] ?? 0) + factor * postings.weight(at);
    };
    for (const stem of query.stems) add(stem, stems);
    for (const word of query.words) add(word, exacts);
    return sums;
  }

  #add({ term, factor }: WeightedTerm, postings: Postings, { visible }: VisibleDocuments): void {
    const { documents, weights, starts } = postings;
    const sums = this.#sums;
    const each = factor * Postings.unit;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at++) {
      const document = documents[at] ?? 0;
      if (visible && visible[document] !== 1) continue;
      const before = sums[document] ?? 0;
      if (before === 0) this.#touched[this.#count++] = document;
      sums[document] = before + each * (weights[at] ?? 0);
    }
  }

  /** The best of the touched documents. Clears the sums. */
  #finish(limit: number): readonly Scored[] {
    const keyOf = (document: number) => this.#index.tool(document)?.key ?? '';
    const best = new TopDocuments(
      Math.min(limit, this.#count),
      (a, b) => byCodePoint(keyOf(a), keyOf(b)) < 0,
    );
    const sums = this.#sums;
    for (let i = 0; i < this.#count; i++) {
      const document = this.#touched[i] ?? 0;
      const score = sums[document] ?? 0;
      if (score >= best.least) best.offer(document, score);
      sums[document] = 0;
    }
    this.#count = 0;
    return best.items();
  }

  #reserve(): void {
    const { size } = this.#index;
    if (this.#touched.length === size) return;
    this.#sums = new Float32Array(size);
    this.#touched = new Uint32Array(size);
  }
}

/** How many documents similarity in meaning adds. */
const NEAREST = 30;
/** The number of words from which on similarity in meaning counts less. */
const SENTENCE = 12;
/** What similarity is reduced by if a tool does something else than the query asks for. */
export const OTHER_ACTION = 0.1;

/** The similarity in meaning of documents to a query and to its best clause. */
export class SemanticScorer {
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

  nearest(view: VisibleDocuments): readonly number[] {
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
