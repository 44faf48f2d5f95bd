import { searchWords } from '../../near/index.ts';
import type { Vocabulary } from './vocabulary.ts';

const BEYOND_ASCII = /[\u0080-\uffff]/;
const RUN = /[A-Za-z0-9]+/g;
/** Remembered runs. */
const MAX_RUNS = 50_000;

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
  /** The number of the word for a run of one word, else -1 - the position in `#several`. */
  readonly #runs = new Map<string, number>();
  readonly #several: Several[] = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  read(text: string): readonly number[] {
    if (BEYOND_ASCII.test(text)) return this.#numbers(searchWords(text));
    const words: number[] = [];
    const brands: number[] = [];
    for (const run of text.match(RUN) ?? []) {
      const known = this.#runs.get(run) ?? this.#divide(run);
      if (known >= 0) {
        words.push(known);
        continue;
      }
      const several = this.#several[-1 - known];
      if (several === undefined) continue;
      words.push(...several.words);
      if (several.brand !== undefined) brands.push(several.brand);
    }
    return brands.length === 0 ? words : [...words, ...brands];
  }

  /** Forgets the runs: they take more memory than their words. */
  forget(): void {
    this.#runs.clear();
    this.#several.length = 0;
  }

  #divide(run: string): number {
    if (this.#runs.size >= MAX_RUNS) this.forget();
    const found = this.#numbers(searchWords(run));
    const [first] = found;
    let known = first ?? -1;
    if (found.length !== 1) {
      const isBrand = this.#vocabulary.wordNumber(run.toLowerCase()) === found.at(-1);
      const brand = isBrand ? found.at(-1) : undefined;
      this.#several.push({ words: isBrand ? found.slice(0, -1) : found, brand });
      known = -this.#several.length;
    }
    this.#runs.set(run, known);
    return known;
  }

  #numbers(words: readonly string[]): number[] {
    return words.map((word) => this.#vocabulary.add(word));
  }
}
