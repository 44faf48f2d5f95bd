import { type DocumentWords, FIELDS } from './fields.ts';
import { grown } from './grown.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { Weights } from './weights.ts';

/** The weights of the terms of one document after another. Terms are numbers. */
export class TermWeights {
  /** The terms of the document. */
  readonly terms: number[] = [];
  readonly #saturation: number;
  #weights = new Float64Array(256);
  #fields = new Uint8Array(256);

  constructor(saturation: number) {
    this.#saturation = saturation;
  }

  add(term: number, weight: number, field: number): void {
    if (term >= this.#weights.length) this.#grow(term);
    const before = this.#weights[term] ?? 0;
    if (before === 0) this.terms.push(term);
    this.#weights[term] = before + weight;
    this.#fields[term] = (this.#fields[term] ?? 0) | (1 << field);
  }

  /** A term's weight on a scale that limits the effect of repetition. */
  weight(term: number): number {
    const weight = this.#weights[term] ?? 0;
    return (weight * (this.#saturation + 1)) / (weight + this.#saturation);
  }

  /** The set of fields that hold the term. */
  fields(term: number): number {
    return this.#fields[term] ?? 0;
  }

  clear(): void {
    for (const term of this.terms) {
      this.#weights[term] = 0;
      this.#fields[term] = 0;
    }
    this.terms.length = 0;
  }

  #grow(term: number): void {
    this.#weights = grown(this.#weights, 2 * (term + 1));
    this.#fields = grown(this.#fields, 2 * (term + 1));
  }
}

/**
 * Adds the words of a document to the weights of its exact words and of their stems, as in BM25F
 * (Robertson, Zaragoza, Taylor 2004). A field's length is compared with a fixed length and not with
 * the mean of the index: the weights then depend on the document alone.
 */
export function weighDocument(
  words: DocumentWords,
  vocabulary: Vocabulary,
  weights: Weights,
  exacts: TermWeights,
  stems: TermWeights,
): void {
  for (const [bit, name] of FIELDS.entries()) {
    const field = weights[name];
    if (field.weight === 0) continue;
    const length = words[name].length / field.usualLength;
    const each = field.weight / (1 - weights.lengthEffect + weights.lengthEffect * length);
    for (const word of words[name]) {
      exacts.add(word, each, bit);
      stems.add(vocabulary.stemOf(word), each, bit);
    }
  }
}
