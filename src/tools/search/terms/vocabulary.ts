import { stem } from './porter2.ts';

/** Gives each word and each stem a number. */
export class Vocabulary {
  readonly #words = new Map<string, number>();
  readonly #stems = new Map<string, number>();
  readonly #stemOfWord: number[] = [];

  get words(): number {
    return this.#words.size;
  }

  get stems(): number {
    return this.#stems.size;
  }

  /** The number of a word; a new word gets the next one. */
  add(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const root = stem(word);
    let stemNumber = this.#stems.get(root);
    if (stemNumber === undefined) {
      stemNumber = this.#stems.size;
      this.#stems.set(root, stemNumber);
    }
    const number = this.#words.size;
    this.#words.set(word, number);
    this.#stemOfWord.push(stemNumber);
    return number;
  }

  wordNumber(word: string): number | undefined {
    return this.#words.get(word);
  }

  /** The number of a word's stem, also for words that are not known themselves. */
  stemNumber(word: string): number | undefined {
    const known = this.#words.get(word);
    return known === undefined ? this.#stems.get(stem(word)) : this.#stemOfWord[known];
  }

  stemOf(word: number): number {
    return this.#stemOfWord[word] ?? 0;
  }

  /** All words, in the order of their numbers. */
  list(): Iterable<string> {
    return this.#words.keys();
  }
}
