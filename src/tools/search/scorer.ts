import { byCodePoint } from '../values/index.ts';
import { Best } from './best.ts';
import { FIELDS, type Postings, type Weights } from './terms/index.ts';
import type { ToolIndex } from './tool-index.ts';
import type { View } from './view.ts';

const NAME_BIT = 1 << FIELDS.indexOf('name');
/** Terms of a query that are told apart in the set of those that a document holds. */
const MAX_BITS = 32;

/** A term of a query, as a word of the index. */
export interface QueryTerm {
  /** The word as the query has it. */
  readonly word: string;
  /** The word in the index: the same, or its repair. */
  readonly known: string;
  readonly count: number;
  /** From 0 to 1; less for a repair. */
  readonly trust: number;
}

/** A scored document. `held` is the set of the query's stems in it. */
export interface Scored {
  readonly document: number;
  readonly score: number;
  readonly held: number;
}

/** What a pass over a query found. */
export interface Pass {
  readonly scored: readonly Scored[];
  /** The rarity of each stem of the query, by its bit. */
  readonly rarities: readonly number[];
}

/** Adds up the scores of documents term by term, in arrays that one search after the other uses. */
export class Scorer {
  readonly #index: ToolIndex;
  readonly #weights: Weights;
  #scores = new Float64Array(0);
  #rarities = new Float64Array(0);
  #nameRarities = new Float64Array(0);
  #nameStems = new Uint8Array(0);
  #held = new Uint32Array(0);
  #touched = new Uint32Array(0);
  #count = 0;

  constructor(index: ToolIndex, weights: Weights) {
    this.#index = index;
    this.#weights = weights;
  }

  /**
   * Scores all visible documents that hold a word of the list, or a word with the same stem. Returns
   * the best `limit`, best first.
   */
  pass(terms: readonly QueryTerm[], view: View, limit: number): Pass {
    this.#reserve();
    const rarities = this.#addStems(terms, view);
    if (this.#weights.exact > 0) this.#addExacts(terms, view);
    return { scored: this.#finish(rarities, limit), rarities };
  }

  #addStems(terms: readonly QueryTerm[], view: View): number[] {
    const { stems, vocabulary } = this.#index;
    const counts = new Map<number, { count: number; trust: number }>();
    for (const { known, count, trust } of terms) {
      const stem = vocabulary.stemNumber(known);
      if (stem === undefined) continue;
      const before = counts.get(stem);
      counts.set(stem, {
        count: count + (before?.count ?? 0),
        trust: Math.max(trust, before?.trust ?? 0),
      });
    }
    const rarities: number[] = [];
    for (const [stem, { count, trust }] of counts) {
      const holders = view.holders(stems, stem);
      if (holders === 0) continue;
      const rarity = trust * view.rarity(holders);
      const bit = rarities.length % MAX_BITS;
      rarities[bit] = (rarities[bit] ?? 0) + rarity;
      this.#addStem(
        stem,
        rarity,
        (1 - this.#weights.exact) * (1 + Math.log(count)),
        1 << bit,
        view,
      );
    }
    return rarities;
  }

  #addStem(stem: number, rarity: number, factor: number, bit: number, view: View): void {
    const { stems } = this.#index;
    const { documents, fields } = stems;
    const end = stems.starts[stem + 1] ?? 0;
    for (let at = stems.starts[stem] ?? 0; at < end; at++) {
      const document = documents[at] ?? 0;
      if (!view.sees(document)) continue;
      if (this.#held[document] === 0) this.#touched[this.#count++] = document;
      this.#held[document] = (this.#held[document] ?? 0) | bit;
      this.#scores[document] = (this.#scores[document] ?? 0) + factor * rarity * stems.weight(at);
      this.#rarities[document] = (this.#rarities[document] ?? 0) + rarity;
      if (((fields[at] ?? 0) & NAME_BIT) === 0) continue;
      this.#nameRarities[document] = (this.#nameRarities[document] ?? 0) + rarity;
      this.#nameStems[document] = (this.#nameStems[document] ?? 0) + 1;
    }
  }

  /** Exact words are added to documents that hold their stems, thus to no others. */
  #addExacts(terms: readonly QueryTerm[], view: View): void {
    const { exacts, vocabulary } = this.#index;
    for (const { known, count, trust } of terms) {
      const word = vocabulary.wordNumber(known);
      if (word === undefined) continue;
      const holders = view.holders(exacts, word);
      if (holders === 0) continue;
      const factor = trust * view.rarity(holders) * (1 + Math.log(count)) * this.#weights.exact;
      this.#addExact(exacts, word, factor, view);
    }
  }

  #addExact(exacts: Postings, word: number, factor: number, view: View): void {
    const end = exacts.starts[word + 1] ?? 0;
    for (let at = exacts.starts[word] ?? 0; at < end; at++) {
      const document = exacts.documents[at] ?? 0;
      if (view.sees(document))
        this.#scores[document] = (this.#scores[document] ?? 0) + factor * exacts.weight(at);
    }
  }

  /** Applies the bonus for names and the factor for coverage, and clears the arrays. */
  #finish(rarities: readonly number[], limit: number): readonly Scored[] {
    const { nameCoverage, coverage } = this.#weights;
    const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
    const best = new Best(limit, (a: Scored, b: Scored) => this.#byKey(a, b));
    for (let i = 0; i < this.#count; i++) {
      const document = this.#touched[i] ?? 0;
      const nameStems = this.#nameStems[document] ?? 0;
      let score = this.#scores[document] ?? 0;
      if (nameStems > 0) {
        const share = nameStems / (this.#index.tool(document)?.nameStems ?? 1);
        score += nameCoverage * share * (this.#nameRarities[document] ?? 0);
      }
      score *= 1 - coverage + (coverage * (this.#rarities[document] ?? 0)) / total;
      if (score >= best.least) best.offer({ document, score, held: this.#held[document] ?? 0 });
      this.#scores[document] = 0;
      this.#rarities[document] = 0;
      this.#nameRarities[document] = 0;
      this.#nameStems[document] = 0;
      this.#held[document] = 0;
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
    if (this.#scores.length === size) return;
    this.#scores = new Float64Array(size);
    this.#rarities = new Float64Array(size);
    this.#nameRarities = new Float64Array(size);
    this.#nameStems = new Uint8Array(size);
    this.#held = new Uint32Array(size);
    this.#touched = new Uint32Array(size);
  }
}
