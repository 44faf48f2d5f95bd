import { searchWords, splitWords } from '../../near/index.ts';
import { RunTable } from './run-table.ts';
import type { Vocabulary } from './vocabulary.ts';

/** 1 for the ASCII letters and digits. */
const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const SPACE = 32;
/** The numbers of the hash FNV-1a. */
const FIRST_HASH = 0x811c9dc5 | 0;
const HASH_FACTOR = 0x01000193;

/** What a run of several words stands for. */
interface Several {
  readonly words: readonly number[];
  /** The run as one word, if it is a brand such as `GitHub`. */
  readonly brand: number | undefined;
}

/**
 * Reads texts as the numbers of their words, in the order of `searchWords`. Words end where a run of
 * letters and digits ends, and the runs of a catalog repeat: each is divided into words only once.
 */
export class WordReader {
  readonly #vocabulary: Vocabulary;
  #runs = new RunTable();
  /** For each run, the number of its word. For a run of several words, -1 - the position in `#several`. */
  #words: number[] = [];
  #several: Several[] = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** The words to search by. */
  read(text: string): number[] {
    const brands: number[] = [];
    const words = this.#split(text, brands);
    return words === undefined ? this.#numbers(searchWords(text)) : words.concat(brands);
  }

  /** The words in order, without brands: those of `splitWords`. */
  readName(text: string): readonly string[] {
    const words = this.#split(text, []);
    return words?.map((word) => this.#vocabulary.word(word)) ?? splitWords(text);
  }

  /** Forgets the runs, which take memory. */
  forget(): void {
    this.#runs = new RunTable();
    this.#words = [];
    this.#several = [];
  }

  /** The words of a text of ASCII characters. Adds the brands to `brands`. */
  #split(text: string, brands: number[]): number[] | undefined {
    const words: number[] = [];
    let from = -1;
    let hash = FIRST_HASH;
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : SPACE;
      if (code >= IN_RUN.length) return undefined;
      if (IN_RUN[code] === 1) {
        if (from < 0) from = at;
        hash = Math.imul(hash ^ code, HASH_FACTOR);
      } else if (from >= 0) {
        this.#push(this.#wordOf(text, from, at, hash), words, brands);
        from = -1;
        hash = FIRST_HASH;
      }
    }
    return words;
  }

  #push(word: number, words: number[], brands: number[]): void {
    if (word >= 0) {
      words.push(word);
      return;
    }
    const several = this.#several[-1 - word];
    if (several === undefined) return;
    for (const one of several.words) words.push(one);
    if (several.brand !== undefined) brands.push(several.brand);
  }

  #wordOf(text: string, from: number, to: number, hash: number): number {
    const run = this.#runs.find(text, from, to, hash);
    if (run >= 0) return this.#words[run] ?? 0;
    this.#runs.add(text, from, to, hash);
    const word = this.#divide(text.slice(from, to));
    this.#words.push(word);
    return word;
  }

  #divide(run: string): number {
    const words = this.#numbers(searchWords(run));
    const [first] = words;
    if (first !== undefined && words.length === 1) return first;
    const last = words.at(-1);
    const isBrand = last !== undefined && this.#vocabulary.word(last) === run.toLowerCase();
    this.#several.push({
      words: isBrand ? words.slice(0, -1) : words,
      brand: isBrand ? last : undefined,
    });
    return -this.#several.length;
  }

  #numbers(words: readonly string[]): number[] {
    return words.map((word) => this.#vocabulary.add(word));
  }
}
