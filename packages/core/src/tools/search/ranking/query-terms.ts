import type { DocumentVectors, ToolIndex, View } from '../documents/index.ts';
import { otherVerbs } from '../terms/index.ts';
import { Repairs } from './repairs.ts';

/** What a repaired word counts in relation to a word that matches. */
const REPAIR_TRUST = 0.6;

/** A word of a query. */
export interface QueryTerm {
  /** The word as the query has it. */
  readonly word: string;
  /** The word in the index: the same, or its repair. */
  readonly known: string;
  /** How often the query has the word. */
  readonly count: number;
  /** The number of the known word; -1 if the index has only its stem, or nothing. */
  readonly exact: number;
  /** The number of the known word's stem; -1 for an unknown word. */
  readonly stem: number;
  /** From 0 to 1: 1 for a word that the index has, less for a repair, 0 for an unknown word. */
  readonly trust: number;
}

/** Looks up the words of queries in an index. */
export class QueryTerms {
  readonly #index: ToolIndex;
  readonly #vectors: DocumentVectors | undefined;
  readonly #repairs: Repairs;

  constructor(index: ToolIndex, vectors?: DocumentVectors) {
    this.#index = index;
    this.#vectors = vectors;
    this.#repairs = new Repairs(index);
  }

  /** The terms of a list of words. Words that no visible document contains are repaired where possible. */
  of(words: readonly string[], view: View): QueryTerm[] {
    const { vocabulary, stems } = this.#index;
    const counts = Map.groupBy(words, (word) => word);
    const terms: readonly QueryTerm[] = [...counts].map(([word, { length: count }]) => ({
      ...{ word, known: word, count, trust: 0 },
      ...vocabulary.find(word),
    }));
    const missing = new Set<string>();
    for (const { word, stem } of terms)
      if (stem < 0 || view.documentFrequency(stems, stem) === 0) missing.add(word);
    const withVector = this.#vectors?.knownOf(missing);
    return terms.map((term) => {
      if (!missing.has(term.word)) return { ...term, trust: 1 };
      // A word with a vector is no mistake.
      if (withVector?.has(term.word)) return term;
      const known = this.#repairs.nearest(term.word, view);
      if (known === undefined) return term;
      return { ...term, known, ...vocabulary.find(known), trust: REPAIR_TRUST };
    });
  }

  /** Other verbs for the first word, which mostly is the verb. Without those that are terms already. */
  otherVerbs([first, ...others]: readonly QueryTerm[], trust: number): QueryTerm[] {
    if (first === undefined || trust === 0) return [];
    const own = new Set([first, ...others].map(({ stem }) => stem));
    return otherVerbs(first.known).flatMap((word) => {
      const found = this.#index.vocabulary.find(word);
      if (own.has(found.stem)) return [];
      return [{ word, known: word, count: first.count, ...found, trust }];
    });
  }

  /** Whether a visible document contains a word with the same stem. */
  isKnown(word: string, view: View): boolean {
    const { vocabulary, stems } = this.#index;
    const { stem } = vocabulary.find(word);
    return stem >= 0 && view.documentFrequency(stems, stem) > 0;
  }
}
