import type { WordVectors } from '../contract/index.ts';
import { type DocumentWords, FIELDS, type FieldName, grown } from '../terms/index.ts';

/** The weight of each field in the vector of a document. The vectors of words are trained for these. */
const FIELD_WEIGHTS: Readonly<Record<FieldName, number>> = {
  name: 1,
  group: 0.4,
  lead: 1,
  rest: 0.4,
  parameterNames: 0.25,
  parameterTexts: 0,
};
/** A field of n words adds its weight times n to the power of this for each word. */
const LENGTH_POWER = -0.7;
/** For a word that was not looked up. Rows of words are kept as their number and 2; 1 is no row. */
const NEW = 0;

/** The sums of the vectors of words, one for each text. A word counts once. */
export function sumsOf(
  vectors: WordVectors,
  texts: readonly (readonly string[])[],
): Float32Array[] {
  const sums = texts.map(() => new Float32Array(vectors.dimensions));
  for (const [at, sum] of sums.entries())
    for (const word of new Set(texts[at])) vectors.add(word, 1, sum);
  return sums;
}

/** Adds up the vectors of a document's words. Words are looked up once, by the numbers of one vocabulary. */
export class VectorSum {
  readonly #vectors: WordVectors;
  #rows = new Int32Array(1_024);
  /** The weight of each word in the document that is read; 0 for all others. */
  #weights = new Float64Array(1_024);

  constructor(vectors: WordVectors) {
    this.#vectors = vectors;
  }

  /** Writes the sum for a document to `sum`. `texts`: the words of the vocabulary, by their numbers. */
  write(document: DocumentWords, texts: readonly string[], sum: Float32Array): void {
    if (texts.length > this.#rows.length) {
      this.#rows = grown(this.#rows, 2 * texts.length);
      this.#weights = grown(this.#weights, 2 * texts.length);
    }
    const words = this.#weigh(document);
    const weights = words.map((word) => this.#weights[word] ?? 0);
    for (const word of words) this.#weights[word] = 0;
    sum.fill(0);
    const vectors = this.#vectors;
    if (vectors.rowsOf && vectors.addRows)
      vectors.addRows(this.#rowsOf(words, texts), weights, sum);
    else
      for (const [at, word] of words.entries())
        vectors.add(texts[word] ?? '', weights[at] ?? 0, sum);
  }

  /** Adds up the weights of each word. Returns the words, each once: most time goes into adding vectors. */
  #weigh(document: DocumentWords): number[] {
    const weights = this.#weights;
    const words: number[] = [];
    for (const field of FIELDS) {
      const list = document[field];
      if (FIELD_WEIGHTS[field] === 0 || list.length === 0) continue;
      const weight = FIELD_WEIGHTS[field] * list.length ** LENGTH_POWER;
      for (const word of list) {
        const before = weights[word] ?? 0;
        if (before === 0) words.push(word);
        weights[word] = before + weight;
      }
    }
    return words;
  }

  /** The numbers of the words' vectors. */
  #rowsOf(words: readonly number[], texts: readonly string[]): number[] {
    const rows = this.#rows;
    const unknown = words.filter((word) => rows[word] === NEW);
    const found = this.#vectors.rowsOf?.(unknown.map((word) => texts[word] ?? ''));
    for (const [at, word] of unknown.entries()) rows[word] = (found?.[at] ?? -1) + 2;
    return words.map((word) => (rows[word] ?? NEW) - 2);
  }
}
