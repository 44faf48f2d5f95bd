import type { WordVectors } from '../contract/index.ts';
import {
  type DocumentWords,
  FIELDS,
  type FieldName,
  grown,
  type Vocabulary,
} from '../terms/index.ts';

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

/** Adds up the vectors of a document's words. Words are looked up once, by the numbers of one vocabulary. */
export class VectorSum {
  readonly #vectors: WordVectors;
  #rows = new Int32Array(1_024);

  constructor(vectors: WordVectors) {
    this.#vectors = vectors;
  }

  /** Writes the sum for a document to `sum`. */
  write(words: DocumentWords, vocabulary: Vocabulary, sum: Float32Array): void {
    sum.fill(0);
    for (const field of FIELDS) {
      const list = words[field];
      const weight = FIELD_WEIGHTS[field] * list.length ** LENGTH_POWER;
      if (weight > 0) for (const word of list) this.#add(word, weight, vocabulary, sum);
    }
  }

  #add(word: number, weight: number, vocabulary: Vocabulary, sum: Float32Array): void {
    const vectors = this.#vectors;
    if (vectors.rowOf === undefined || vectors.addRow === undefined) {
      vectors.add(vocabulary.word(word), weight, sum);
      return;
    }
    if (word >= this.#rows.length) this.#rows = grown(this.#rows, 2 * (word + 1));
    let kept = this.#rows[word] ?? NEW;
    if (kept === NEW) {
      kept = vectors.rowOf(vocabulary.word(word)) + 2;
      this.#rows[word] = kept;
    }
    if (kept >= 2) vectors.addRow(kept - 2, weight, sum);
  }
}
