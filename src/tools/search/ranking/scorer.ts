import { byCodePoint } from '../../values/index.ts';
import { type Scored, type ToolIndex, TopDocuments, type View } from '../documents/index.ts';
import { FIELDS, Postings, type Weights } from '../terms/index.ts';
import type { PostingLookup } from './posting-lookup.ts';
import type { QueryWeights, WeightedTerm } from './query-weights.ts';

const NAME_BIT = 1 << FIELDS.indexOf('name');
/** The numbers that are added up for each document. */
const SUMS = 4;
const SCORE = 0;
const IDF = 1;
const NAME_IDF = 2;
const NAME_STEMS = 3;

/** Adds up the scores of documents term by term, in arrays that one search after the other uses. */
export class Scorer {
  readonly #index: ToolIndex;
  readonly #weights: Weights;
  /** `SUMS` numbers for each document, side by side so that they share a cache line. */
  #sums = new Float32Array(0);
  #touched = new Uint32Array(0);
  #count = 0;

  constructor(index: ToolIndex, weights: Weights) {
    this.#index = index;
    this.#weights = weights;
  }

  /**
   * Scores the visible documents that contain a word of a query, or a word with the same stem, and
   * returns the best `limit`, in no order. Equal scores are ordered by key.
   */
  best(query: QueryWeights, view: View, limit: number): readonly Scored[] {
    this.#reserve();
    for (const stem of query.stems) this.#addStem(stem, view);
    for (const word of query.words) this.#addWord(word, view);
    return this.#finish(query.idf, limit);
  }

  /** The scores of the documents of a search, in their order. */
  scores(query: QueryWeights, lookup: PostingLookup): Float64Array {
    const { stems, exacts } = this.#index;
    const { documents } = lookup;
    const sums = new Float32Array(documents.length * SUMS);
    for (const { term, factor, idf } of query.stems) {
      const each = factor * Postings.unit;
      for (const [i, at] of lookup.places(stems, term).entries()) {
        if (at < 0) continue;
        const isInName = ((stems.fields[at] ?? 0) & NAME_BIT) !== 0;
        addStem(sums, i * SUMS, each * (stems.weights[at] ?? 0), idf, isInName);
      }
    }
    for (const { term, factor } of query.words) {
      const each = factor * Postings.unit;
      for (const [i, at] of lookup.places(exacts, term).entries())
        if (at >= 0) sums[i * SUMS] = (sums[i * SUMS] ?? 0) + each * (exacts.weights[at] ?? 0);
    }
    return Float64Array.from(documents, (document, i) =>
      this.#total(sums, i * SUMS, document, query.idf),
    );
  }

  #addStem({ term, factor, idf }: WeightedTerm, { visible }: View): void {
    const { documents, fields, weights, starts } = this.#index.stems;
    const sums = this.#sums;
    const each = factor * Postings.unit;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at++) {
      const document = documents[at] ?? 0;
      if (visible && visible[document] !== 1) continue;
      if (sums[document * SUMS + IDF] === 0) this.#touched[this.#count++] = document;
      const isInName = ((fields[at] ?? 0) & NAME_BIT) !== 0;
      addStem(sums, document * SUMS, each * (weights[at] ?? 0), idf, isInName);
    }
  }

  /** Exact words come after stems: every document that contains one is touched. */
  #addWord({ term, factor }: WeightedTerm, { visible }: View): void {
    const { documents, weights, starts } = this.#index.exacts;
    const sums = this.#sums;
    const each = factor * Postings.unit;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at++) {
      const document = documents[at] ?? 0;
      if (visible && visible[document] !== 1) continue;
      const sum = document * SUMS + SCORE;
      sums[sum] = (sums[sum] ?? 0) + each * (weights[at] ?? 0);
    }
  }

  /** The best of the touched documents. Clears the sums. */
  #finish(idf: number, limit: number): readonly Scored[] {
    const keyOf = (document: number) => this.#index.tool(document)?.key ?? '';
    const best = new TopDocuments(
      Math.min(limit, this.#count),
      (a, b) => byCodePoint(keyOf(a), keyOf(b)) < 0,
    );
    const sums = this.#sums;
    for (let i = 0; i < this.#count; i++) {
      const document = this.#touched[i] ?? 0;
      const score = this.#total(sums, document * SUMS, document, idf);
      if (score >= best.least) best.offer(document, score);
      for (let sum = 0; sum < SUMS; sum++) sums[document * SUMS + sum] = 0;
    }
    this.#count = 0;
    return best.items();
  }

  /** The score of a document: its sums with the bonus for names and the factor for coverage. */
  #total(sums: Float32Array, at: number, document: number, idf: number): number {
    const { nameCoverage, coverage } = this.#weights;
    const share = (sums[at + NAME_STEMS] ?? 0) / this.#index.nameStems(document);
    const named = nameCoverage * share * (sums[at + NAME_IDF] ?? 0);
    const covered = (coverage * (sums[at + IDF] ?? 0)) / idf;
    return ((sums[at + SCORE] ?? 0) + named) * (1 - coverage + covered);
  }

  #reserve(): void {
    const { size } = this.#index;
    if (this.#touched.length === size) return;
    this.#sums = new Float32Array(size * SUMS);
    this.#touched = new Uint32Array(size);
  }
}

/** Adds a stem to the sums from `at` on. */
function addStem(
  sums: Float32Array,
  at: number,
  score: number,
  idf: number,
  isInName: boolean,
): void {
  sums[at + SCORE] = (sums[at + SCORE] ?? 0) + score;
  sums[at + IDF] = (sums[at + IDF] ?? 0) + idf;
  if (!isInName) return;
  sums[at + NAME_IDF] = (sums[at + NAME_IDF] ?? 0) + idf;
  sums[at + NAME_STEMS] = (sums[at + NAME_STEMS] ?? 0) + 1;
}
