import { Spelling } from '../../names/near/index.ts';
import { byCodePoint } from '../../values/index.ts';
import type { ToolIndex, View } from '../documents/index.ts';

/** Shorter words have too many neighbours. */
const MIN_LENGTH = 5;
/** Words of this length may have two errors. */
const LONG = 8;
const MAX_LENGTH = 40;

interface KnownWord {
  /** In the vocabulary. */
  readonly number: number;
  readonly spelling: Spelling;
}

/** Finds the word that was meant where a query has one that no document contains. */
export class Repairs {
  readonly #index: ToolIndex;
  /** The words of the vocabulary that can be meant, by their first character. */
  readonly #words = new Map<string, KnownWord[]>();
  /** The same by all characters but the first. */
  readonly #byRest = new Map<string, KnownWord[]>();
  #read = 0;

  constructor(index: ToolIndex) {
    this.#index = index;
  }

  /**
   * The word of a visible document with the fewest edits, at most one, or two in a long word. If the first
   * letter is wrong, the rest must be right. Between equals, the more frequent word is chosen.
   */
  nearest(word: string, view: View): string | undefined {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return undefined;
    this.#readNew();
    const allowed = word.length < LONG ? 1 : 2;
    const wanted = new Spelling(word);
    let best: Repair | undefined;
    for (const { number, spelling } of this.#candidates(word)) {
      const edits = wanted.editsTo(spelling, best?.edits ?? allowed);
      if (edits > allowed) continue;
      const frequency = view.documentFrequency(this.#index.exacts, number);
      const repair = { word: spelling.text, edits, frequency };
      if (frequency > 0 && (best === undefined || isBetter(repair, best))) best = repair;
    }
    return best?.word;
  }

  /** Words with the same first letter, and those that differ in it alone: another one, none, or one too many. */
  #candidates(word: string): readonly KnownWord[] {
    const rest = word.slice(1);
    const swapped = word.charAt(0) + word.slice(2);
    const others = [word, rest, swapped].flatMap((end) => this.#byRest.get(end) ?? []);
    const longer = this.#words
      .get(rest.charAt(0))
      ?.filter(({ spelling }) => spelling.text === rest);
    return [...(this.#words.get(word.charAt(0)) ?? []), ...others, ...(longer ?? [])];
  }

  #readNew(): void {
    const words = this.#index.vocabulary.list();
    for (; this.#read < words.length; this.#read++) {
      const word = words[this.#read] ?? '';
      const known = { number: this.#read, spelling: new Spelling(word) };
      add(this.#words, word.charAt(0), known);
      if (word.length >= MIN_LENGTH - 1) add(this.#byRest, word.slice(1), known);
    }
  }
}

function add(lists: Map<string, KnownWord[]>, key: string, word: KnownWord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [word]);
  else list.push(word);
}

/** A word that may have been meant. */
interface Repair {
  readonly word: string;
  readonly edits: number;
  readonly frequency: number;
}

function isBetter(one: Repair, other: Repair): boolean {
  if (one.edits !== other.edits) return one.edits < other.edits;
  if (one.frequency !== other.frequency) return one.frequency > other.frequency;
  return byCodePoint(one.word, other.word) < 0;
}
