import { stem } from './stem.ts';

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

  /** The numbers of a word and of its stem; -1 for what is not known. The stem of an unknown word may be. */
  find(word: string): { readonly exact: number; readonly stem: number } {
    const exact = this.#words.get(word) ?? -1;
    const known = exact < 0 ? this.#stems.get(stem(word)) : this.#stemOfWord[exact];
    return { exact, stem: known ?? -1 };
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
