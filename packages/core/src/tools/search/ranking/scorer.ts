import { byCodePoint } from '../../values/index.ts';
import { type Scored, type ToolIndex, TopDocuments, type View } from '../documents/index.ts';
import { Postings } from '../terms/index.ts';
import type { PostingLookup } from './posting-lookup.ts';
import type { QueryWeights, WeightedTerm } from './query-weights.ts';

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
  best(query: QueryWeights, view: View, limit: number): readonly Scored[] {
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

  #add({ term, factor }: WeightedTerm, postings: Postings, { visible }: View): void {
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
