import { byCodePoint } from '../../values/index.ts';
import type { ToolIndex, View } from '../documents/index.ts';
import { Best } from '../documents/index.ts';
import { FIELDS, Postings, type Weights } from '../terms/index.ts';

const NAME_BIT = 1 << FIELDS.indexOf('name');
/** The numbers that are added up for each document. */
const SUMS = 4;
const SCORE = 0;
const RARITY = 1;
const NAME_RARITY = 2;
const NAME_STEMS = 3;
/** A document is looked up in a list of more than so many times the documents; a shorter list is read. */
const LIST_PER_LOOKUP = 12;

/** A word of a query. */
export interface QueryTerm {
  /** The word as the query has it. */
  readonly word: string;
  /** The word in the index: the same, or its repair. */
  readonly known: string;
  readonly count: number;
  /** From 0 to 1: 1 for a word that the index has, less for a repair, 0 for an unknown word. */
  readonly trust: number;
}

/** A stem of a query that a visible document holds. */
export interface QueryStem {
  readonly stem: number;
  /** The rarity among the visible documents, times the trust. */
  readonly rarity: number;
  readonly count: number;
}

/** A document with its score. */
export interface Scored {
  readonly document: number;
  readonly score: number;
}

/** Adds up the scores of documents term by term, in arrays that one search after the other uses. */
export class Scorer {
  readonly #index: ToolIndex;
  readonly #weights: Weights;
  /** `SUMS` numbers for each document, side by side so that they share a cache line. */
  #sums = new Float32Array(0);
  #touched = new Uint32Array(0);
  /** 1 for the documents that a search is limited to. */
  #chosen = new Uint8Array(0);
  #count = 0;

  constructor(index: ToolIndex, weights: Weights) {
    this.#index = index;
    this.#weights = weights;
  }

  /** The distinct stems of the terms, as far as visible documents hold them. */
  stemsOf(terms: readonly QueryTerm[], view: View): QueryStem[] {
    const { stems, vocabulary } = this.#index;
    const found = new Map<number, { count: number; trust: number }>();
    for (const { known, count, trust } of terms) {
      const stem = vocabulary.stemNumber(known);
      if (stem === undefined || trust === 0) continue;
      const before = found.get(stem) ?? { count: 0, trust: 0 };
      found.set(stem, { count: count + before.count, trust: Math.max(trust, before.trust) });
    }
    return [...found].flatMap(([stem, { count, trust }]) => {
      const holders = view.holders(stems, stem);
      return holders === 0 ? [] : [{ stem, count, rarity: trust * view.rarity(holders) }];
    });
  }

  /**
   * Scores the visible documents that hold a word of the list, or a word with the same stem, and
   * returns the best `limit`, best first. `only` limits it to some documents.
   */
  score(
    terms: readonly QueryTerm[],
    view: View,
    limit: number,
    only?: readonly number[],
  ): readonly Scored[] {
    this.#reserve();
    const { exact } = this.#weights;
    const { exacts, stems, vocabulary } = this.#index;
    const queryStems = this.stemsOf(terms, view);
    for (const document of only ?? []) this.#chosen[document] = 1;
    for (const { stem, rarity, count } of queryStems) {
      const factor = (1 - exact) * (1 + Math.log(count)) * rarity;
      this.#addAll(stems, stem, factor, rarity, view, only);
    }
    for (const { known, count, trust } of terms) {
      const word = vocabulary.wordNumber(known);
      const holders = word === undefined || trust === 0 ? 0 : view.holders(exacts, word);
      if (word === undefined || holders === 0) continue;
      const factor = exact * (1 + Math.log(count)) * trust * view.rarity(holders);
      this.#addAll(exacts, word, factor, 0, view, only);
    }
    for (const document of only ?? []) this.#chosen[document] = 0;
    return this.#finish(
      queryStems.reduce((sum, { rarity }) => sum + rarity, 0),
      limit,
    );
  }

  /** Adds a term to the sums of the visible documents that hold it. A stem has a rarity, an exact word 0. */
  #addAll(
    postings: Postings,
    term: number,
    factor: number,
    rarity: number,
    view: View,
    only: readonly number[] | undefined,
  ): void {
    const { documents, fields, weights, starts } = postings;
    const each = factor * Postings.unit;
    const from = starts[term] ?? 0;
    const to = starts[term + 1] ?? from;
    const isSearched = only !== undefined && to - from > LIST_PER_LOOKUP * only.length;
    const count = isSearched ? only.length : to - from;
    for (let i = 0; i < count; i++) {
      const at = isSearched ? postings.find(term, only[i] ?? 0) : from + i;
      const document = documents[at] ?? 0;
      if (at < 0 || !view.sees(document)) continue;
      if (only !== undefined && this.#chosen[document] === 0) continue;
      this.#add(document, each * (weights[at] ?? 0), rarity, ((fields[at] ?? 0) & NAME_BIT) !== 0);
    }
  }

  /** Exact words come after stems: every document that holds one is touched. */
  #add(document: number, score: number, rarity: number, isInName: boolean): void {
    const sums = this.#sums;
    const at = document * SUMS;
    sums[at + SCORE] = (sums[at + SCORE] ?? 0) + score;
    if (rarity === 0) return;
    if (sums[at + RARITY] === 0) this.#touched[this.#count++] = document;
    sums[at + RARITY] = (sums[at + RARITY] ?? 0) + rarity;
    if (!isInName) return;
    sums[at + NAME_RARITY] = (sums[at + NAME_RARITY] ?? 0) + rarity;
    sums[at + NAME_STEMS] = (sums[at + NAME_STEMS] ?? 0) + 1;
  }

  /** Applies the bonus for names and the factor for coverage, and clears the sums. */
  #finish(total: number, limit: number): readonly Scored[] {
    const { nameCoverage, coverage } = this.#weights;
    const sums = this.#sums;
    const best = new Best(limit, (a: Scored, b: Scored) => this.#byKey(a, b));
    for (let i = 0; i < this.#count; i++) {
      const document = this.#touched[i] ?? 0;
      const at = document * SUMS;
      const share = (sums[at + NAME_STEMS] ?? 0) / this.#index.nameStems(document);
      const named = nameCoverage * share * (sums[at + NAME_RARITY] ?? 0);
      const covered = (coverage * (sums[at + RARITY] ?? 0)) / total;
      const score = ((sums[at + SCORE] ?? 0) + named) * (1 - coverage + covered);
      if (score >= best.least) best.offer({ document, score });
      for (let sum = at; sum < at + SUMS; sum++) sums[sum] = 0;
    }
    this.#count = 0;
    return best.sorted();
  }

  #byKey(a: Scored, b: Scored): number {
    const keyOf = (document: number) => this.#index.tool(document)?.key ?? '';
    return byCodePoint(keyOf(a.document), keyOf(b.document));
  }

  #reserve(): void {
    const { size } = this.#index;
    if (this.#touched.length === size) return;
    this.#sums = new Float32Array(size * SUMS);
    this.#touched = new Uint32Array(size);
    this.#chosen = new Uint8Array(size);
  }
}
