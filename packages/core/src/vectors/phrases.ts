/** What a phrase counts beside a word of the query. */
const WEIGHT = 0.6;

/** What a phrase means, in words that have the same weight. */
export interface Meaning {
  readonly words: readonly string[];
  readonly weight: number;
}

/** Phrases whose words mean something else together, such as `turn down`. */
export class Phrases {
  readonly #meanings = new Map<string, Meaning>();
  /** By the first two words of phrases, the most words of one. */
  readonly #longest = new Map<string, number>();

  /** `lines`: some words and, after a tab, the phrases that mean the same. */
  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const [gloss = '', phrases = ''] = line.split('\t');
      const words = gloss.split(' ');
      const meaning = { words, weight: WEIGHT / Math.sqrt(words.length) };
      for (const phrase of phrases.split(',')) {
        const own = phrase.split(' ');
        const start = `${own[0]} ${own[1]}`;
        this.#meanings.set(phrase, meaning);
        this.#longest.set(start, Math.max(own.length, this.#longest.get(start) ?? 0));
      }
    }
  }

  /** Undefined for what is no phrase. */
  meaningOf(phrase: string): Meaning | undefined {
    return this.#meanings.get(phrase);
  }

  /** The phrases among the words of a text, the longest at each place. They do not overlap. */
  in(words: readonly string[]): string[] {
    const found: string[] = [];
    for (let at = 0; at < words.length - 1; at++) {
      const longest = this.#longest.get(`${words[at]} ${words[at + 1]}`) ?? 0;
      for (let length = longest; length > 1; length--) {
        const phrase = words.slice(at, at + length).join(' ');
        if (!this.#meanings.has(phrase)) continue;
        found.push(phrase);
        at += length - 1;
        break;
      }
    }
    return found;
  }
}
