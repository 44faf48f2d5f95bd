import { stem } from './porter2.ts';

/** Gives each word and each stem a number. */
export class Vocabulary {
  #words = new Map<string, number>();
  #list: string[] = [];
  #stems = new Map<string, number>();
  #stemOfWord: number[] = [];

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
    this.#list.push(word);
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
  list(): readonly string[] {
    return this.#list;
  }

  word(number: number): string {
    return this.#list[number] ?? '';
  }

  /** The words, the stems and the stem of each word. */
  store(): StoredVocabulary {
    return { words: this.#list, stems: [...this.#stems.keys()], stemOfWord: this.#stemOfWord };
  }

  restore({ words, stems, stemOfWord }: StoredVocabulary): void {
    this.#words = new Map(words.map((word, number) => [word, number]));
    this.#list = [...words];
    this.#stems = new Map(stems.map((one, number) => [one, number]));
    this.#stemOfWord = [...stemOfWord];
  }
}

/** A vocabulary as data. Words and stems are in the order of their numbers. */
export interface StoredVocabulary {
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly stemOfWord: readonly number[];
}
