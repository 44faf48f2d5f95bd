import type { ToolIndex, View } from '../documents/index.ts';
import { countEach } from '../terms/index.ts';
import { Repairs } from './repairs.ts';

/** What a repaired word counts in relation to a word that matches. */
const REPAIR_TRUST = 0.6;

/** A word of a query. */
export interface QueryTerm {
  /** The word as the query has it. */
  readonly word: string;
  /** The word in the index: the same, or its repair. */
  readonly known: string;
  /** The number of the known word; -1 if the index has only its stem, or nothing. */
  readonly exact: number;
  /** The number of the known word's stem; -1 for an unknown word. */
  readonly stem: number;
  /** How often the query has the word. */
  readonly count: number;
  /** From 0 to 1: 1 for a word that the index has, less for a repair, 0 for an unknown word. */
  readonly trust: number;
}

/** Looks up the words of queries in an index. */
export class QueryTerms {
  readonly #index: ToolIndex;
  readonly #repairs: Repairs;

  constructor(index: ToolIndex) {
    this.#index = index;
    this.#repairs = new Repairs(index);
  }

  /** The terms of a list of words. Words that no visible document contains are repaired where possible. */
  of(words: readonly string[], view: View): QueryTerm[] {
    return Array.from(countEach(words), ([word, count]) => {
      if (this.isKnown(word, view)) return this.#term(word, word, count, 1);
      const repaired = this.#repairs.nearest(word, view);
      if (repaired === undefined) return this.#term(word, word, count, 0);
      return this.#term(word, repaired, count, REPAIR_TRUST);
    });
  }

  /** Whether a visible document contains a word with the same stem. */
  isKnown(word: string, view: View): boolean {
    const stem = this.#index.vocabulary.stemNumber(word);
    return stem !== undefined && view.documentFrequency(this.#index.stems, stem) > 0;
  }

  #term(word: string, known: string, count: number, trust: number): QueryTerm {
    const { vocabulary } = this.#index;
    const exact = vocabulary.wordNumber(known) ?? -1;
    return { word, known, exact, stem: vocabulary.stemNumber(known) ?? -1, count, trust };
  }
}
