import { editsBetween } from '../../near/index.ts';
import { byCodePoint } from '../../values/index.ts';
import type { ToolIndex, View } from '../documents/index.ts';

/** Shorter words have too many neighbours. */
const MIN_LENGTH = 5;
/** Words of this length may have two errors. */
const LONG = 8;
const MAX_LENGTH = 40;

/** Finds the word that was meant where a query has one that no document contains. */
export class Repairs {
  readonly #index: ToolIndex;
  /** Words by first letter and length. */
  readonly #buckets = new Map<string, string[]>();
  #read = 0;

  constructor(index: ToolIndex) {
    this.#index = index;
  }

  /**
   * The word of a visible document with the fewest edits, at most one, or two in a long word. The first
   * letter must be the same. Between equals, the more frequent word is chosen.
   */
  nearest(word: string, view: View): string | undefined {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return undefined;
    this.#readNew();
    const allowed = word.length < LONG ? 1 : 2;
    let best: { word: string; edits: number; holders: number } | undefined;
    for (let length = word.length - allowed; length <= word.length + allowed; length++) {
      for (const known of this.#buckets.get(bucket(word, length)) ?? []) {
        const edits = editsBetween(word, known, allowed);
        if (edits > (best?.edits ?? allowed)) continue;
        const holders = this.#holders(known, view);
        const found = { word: known, edits, holders };
        if (holders > 0 && (best === undefined || isBetter(found, best))) best = found;
      }
    }
    return best?.word;
  }

  #holders(word: string, view: View): number {
    const { vocabulary, exacts } = this.#index;
    const number = vocabulary.wordNumber(word);
    return number === undefined ? 0 : view.holders(exacts, number);
  }

  #readNew(): void {
    const { vocabulary } = this.#index;
    if (this.#read === vocabulary.words) return;
    this.#buckets.clear();
    for (const word of vocabulary.list()) {
      const key = bucket(word, word.length);
      const words = this.#buckets.get(key);
      if (words === undefined) this.#buckets.set(key, [word]);
      else words.push(word);
    }
    this.#read = vocabulary.words;
  }
}

interface Found {
  readonly word: string;
  readonly edits: number;
  readonly holders: number;
}

function isBetter(one: Found, other: Found): boolean {
  if (one.edits !== other.edits) return one.edits < other.edits;
  if (one.holders !== other.holders) return one.holders > other.holders;
  return byCodePoint(one.word, other.word) < 0;
}

function bucket(word: string, length: number): string {
  return `${word.charAt(0)}${length}`;
}
