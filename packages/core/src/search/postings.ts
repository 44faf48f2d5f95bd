import { type DocumentWords, FIELDS, type Vocabulary, type Weights } from './fields.ts';

type Numbers = Int8Array | Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** A copy of a typed array with room for more numbers. */
export function grown<T extends Numbers>(numbers: T, length: number): T {
  const larger = new (numbers.constructor as new (length: number) => T)(length);
  larger.set(numbers);
  return larger;
}

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

/** The largest weight that a posting can hold. Larger ones are cut. */
const MAX_WEIGHT = 2;
const STEPS = 0xffff;
/** Documents that a look through a list skips at once. */
const STRIDE = 16;

const FIRST_LENGTH = 1_024;

/** Postings in the order in which they were added, in typed arrays that grow. */
class AddedPostings {
  length = 0;
  terms: Uint32Array = new Uint32Array(FIRST_LENGTH);
  documents: Uint32Array = new Uint32Array(FIRST_LENGTH);
  weights: Uint16Array = new Uint16Array(FIRST_LENGTH);
  fields: Uint8Array = new Uint8Array(FIRST_LENGTH);

  push(term: number, document: number, weight: number, fields: number): void {
    if (this.length === this.terms.length) this.#grow();
    const at = this.length++;
    this.terms[at] = term;
    this.documents[at] = document;
    this.weights[at] = weight;
    this.fields[at] = fields;
  }

  #grow(): void {
    const length = 2 * this.length;
    this.terms = grown(this.terms, length);
    this.documents = grown(this.documents, length);
    this.weights = grown(this.weights, length);
    this.fields = grown(this.fields, length);
  }
}

/**
 * Which documents hold which terms, with a weight and a set of fields for each. Terms and documents
 * are numbers. The lists of all terms lie one behind the other in typed arrays, documents in rising
 * order. Added postings wait for `merge`.
 */
export class Postings {
  /** The list of term `t` is from `starts[t]` up to `starts[t + 1]`. */
  starts: Uint32Array = new Uint32Array(1);
  documents: Uint32Array = new Uint32Array(0);
  /** The fields that hold the term: bit `1 << field`. */
  fields: Uint8Array = new Uint8Array(0);
  /** The weights in units of `Postings.unit`. */
  weights: Uint16Array = new Uint16Array(0);
  static readonly unit: number = MAX_WEIGHT / STEPS;
  #added = new AddedPostings();

  /** Adds the terms of a document and clears them. Documents are added in rising order. */
  add(document: number, weights: TermWeights): void {
    for (const term of weights.terms) {
      const weight = Math.min(weights.weight(term), MAX_WEIGHT);
      const step = Math.max(1, Math.round((weight * STEPS) / MAX_WEIGHT));
      this.#added.push(term, document, step, weights.fields(term));
    }
    weights.clear();
  }

  weight(at: number): number {
    return (this.weights[at] ?? 0) * Postings.unit;
  }

  /** The place of each document in the list of a term, or -1. The documents are in rising order. */
  places(term: number, documents: Uint32Array): Int32Array {
    const places = new Int32Array(documents.length);
    const list = this.documents;
    const end = this.starts[term + 1] ?? 0;
    let at = this.starts[term] ?? 0;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i] ?? 0;
      while (at + STRIDE < end && (list[at + STRIDE] ?? 0) <= document) at += STRIDE;
      while (at < end && (list[at] ?? 0) < document) at++;
      places[i] = at < end && list[at] === document ? at : -1;
    }
    return places;
  }

  /**
   * Merges the added postings into the lists of `terms` terms. `numberOf` maps a document to its new
   * number, in the same order as before. A document mapped to -1 is dropped.
   */
  merge(terms: number, numberOf: Int32Array): void {
    const before = this.#listed();
    const starts = new Uint32Array(terms + 1);
    for (const part of [before, this.#added]) countLists(part, numberOf, starts);
    for (let term = 0; term < terms; term++)
      starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    const total = starts[terms] ?? 0;
    this.documents = new Uint32Array(total);
    this.weights = new Uint16Array(total);
    this.fields = new Uint8Array(total);
    const next = starts.slice();
    for (const part of [before, this.#added]) this.#place(part, numberOf, next);
    this.starts = starts;
    this.#added = new AddedPostings();
  }

  /** The arrays as bytes, after a merge. */
  store(): readonly Uint8Array[] {
    return [this.starts, this.documents, this.weights, this.fields].map(
      ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
    );
  }

  /** Takes the arrays of `store`. Each section begins at the start of its buffer. */
  restore([starts, documents, weights, fields]: readonly Uint8Array[]): void {
    if (!starts || !documents || !weights || !fields) return;
    this.starts = new Uint32Array(starts.buffer);
    this.documents = new Uint32Array(documents.buffer);
    this.weights = new Uint16Array(weights.buffer);
    this.fields = fields;
  }

  /** The lists with the term of each posting. */
  #listed(): PostingsSlice {
    const { starts, documents, weights, fields } = this;
    const terms = new Uint32Array(documents.length);
    for (let term = 0; term + 1 < starts.length; term++)
      terms.fill(term, starts[term], starts[term + 1]);
    return { length: documents.length, terms, documents, weights, fields };
  }

  /** Writes postings into the lists. `next` holds the next free place in the list of each term. */
  #place(part: PostingsSlice, numberOf: Int32Array, next: Uint32Array): void {
    const { documents, weights, fields } = this;
    for (let i = 0; i < part.length; i++) {
      const number = numberOf[part.documents[i] ?? 0] ?? -1;
      if (number < 0) continue;
      const term = part.terms[i] ?? 0;
      const at = next[term] ?? 0;
      next[term] = at + 1;
      documents[at] = number;
      weights[at] = part.weights[i] ?? 0;
      fields[at] = part.fields[i] ?? 0;
    }
  }
}

/** Some postings. */
type PostingsSlice = Pick<AddedPostings, 'length' | 'terms' | 'documents' | 'weights' | 'fields'>;

/** Counts the postings of each term `t` in `counts[t + 1]`. */
function countLists(part: PostingsSlice, numberOf: Int32Array, counts: Uint32Array): void {
  for (let i = 0; i < part.length; i++) {
    if ((numberOf[part.documents[i] ?? 0] ?? -1) < 0) continue;
    const after = (part.terms[i] ?? 0) + 1;
    counts[after] = (counts[after] ?? 0) + 1;
  }
}
