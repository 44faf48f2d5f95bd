import { editsBetween, lettersIn, unsharedLetters } from '../../near/index.ts';
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
  /** For each word of the vocabulary, its first character and its length. */
  #heads = new Uint32Array(0);
  /** For each word, the set of its letters. Most words are excluded by their head and their set. */
  #letters = new Int32Array(0);
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
    const head = headOf(word);
    const letters = lettersIn(word);
    let best: Found | undefined;
    for (let number = 0; number < this.#read; number++) {
      const distance = (this.#heads[number] ?? 0) - head;
      if (distance > allowed || distance < -allowed) continue;
      if (unsharedLetters(letters, this.#letters[number] ?? 0) > 2 * allowed) continue;
      const known = this.#index.vocabulary.word(number);
      const edits = editsBetween(word, known, allowed);
      if (edits > (best?.edits ?? allowed)) continue;
      const found = { word: known, edits, holders: view.holders(this.#index.exacts, number) };
      if (found.holders > 0 && (best === undefined || isBetter(found, best))) best = found;
    }
    return best?.word;
  }

  #readNew(): void {
    const words = this.#index.vocabulary.list();
    if (this.#read === words.length) return;
    const [heads, letters] = [new Uint32Array(words.length), new Int32Array(words.length)];
    heads.set(this.#heads);
    letters.set(this.#letters);
    for (let number = this.#read; number < words.length; number++) {
      const word = words[number] ?? '';
      heads[number] = headOf(word);
      letters[number] = lettersIn(word);
    }
    this.#heads = heads;
    this.#letters = letters;
    this.#read = words.length;
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

/** Words with the same first character differ in this number by as much as in their length. */
function headOf(word: string): number {
  return (MAX_LENGTH + 8) * word.charCodeAt(0) + Math.min(word.length, MAX_LENGTH + 4);
}
