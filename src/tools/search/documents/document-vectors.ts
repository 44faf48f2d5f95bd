import type { WordVectors } from '../contract/index.ts';
import { counted, type DocumentWords, FIELDS, type FieldName } from '../terms/index.ts';
import { Best } from './best.ts';
import type { View } from './view.ts';

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
const SCALE = 127;
/** The fewest documents that are compared in full, where there are so many. */
const SHORTLIST = 500;
/** In place of a number of differing signs. */
const HIDDEN = 0xffff;

/** A vector for each document, of length 1 in steps of 1/127. */
export class DocumentVectors {
  readonly #words: WordVectors;
  readonly #sum: Float32Array;
  #vectors: Int8Array;
  /** A bit for each number of a vector that is above 0. Made from the vectors by each merge. */
  #signs = new Uint32Array(0);
  #count = 0;
  /** For each document, the number of signs in which it differs from the last query. */
  #differing = new Uint16Array(0);

  constructor(words: WordVectors) {
    this.#words = words;
    this.#sum = new Float32Array(words.dimensions);
    this.#vectors = new Int8Array(64 * words.dimensions);
  }

  /** Adds the vector of the next document. */
  add(words: DocumentWords): void {
    const sum = this.#sum.fill(0);
    for (const field of FIELDS) {
      const list = words[field];
      const weight = FIELD_WEIGHTS[field] * list.length ** LENGTH_POWER;
      if (weight > 0) for (const word of list) this.#words.add(word, weight, sum);
    }
    this.#put(sum);
  }

  /** Moves vectors to the new numbers of their documents; -1 drops one. Numbers keep their order. */
  renumber(numberOf: Int32Array): void {
    const { dimensions } = this.#words;
    let count = 0;
    for (const [before, number] of numberOf.entries()) {
      if (number < 0) continue;
      if (number !== before)
        this.#vectors.copyWithin(
          number * dimensions,
          before * dimensions,
          (before + 1) * dimensions,
        );
      count = number + 1;
    }
    this.#count = count;
    this.#vectors = this.#vectors.slice(0, Math.max(64, count) * dimensions);
    this.#readSigns();
  }

  get dimensions(): number {
    return this.#words.dimensions;
  }

  /** The vectors as bytes, for `restore`. */
  store(): Uint8Array {
    const { buffer } = this.#vectors.slice(0, this.#count * this.dimensions);
    return new Uint8Array(buffer);
  }

  restore(bytes: Uint8Array): void {
    this.#count = bytes.length / this.dimensions;
    this.#vectors = new Int8Array(bytes.buffer);
    this.#readSigns();
  }

  #readSigns(): void {
    const { dimensions } = this;
    const size = Math.ceil(dimensions / 32);
    this.#signs = new Uint32Array(this.#count * size);
    for (let document = 0; document < this.#count; document++) {
      const from = document * dimensions;
      this.#signs.set(signsOf(this.#vectors.subarray(from, from + dimensions)), document * size);
    }
  }

  /** The vector of a text, of length 1. All zeros if no word is known. */
  query(words: readonly string[]): Float32Array {
    const sum = new Float32Array(this.#words.dimensions);
    for (const [word, count] of counted(words)) this.#words.add(word, 1 + Math.log(count), sum);
    return unit(sum);
  }

  /** The visible documents with the vectors nearest to a query's, at most `limit`. */
  nearest(query: Float32Array, limit: number, view: View, shortlist: number = SHORTLIST): number[] {
    const most = this.#compareSigns(signsOf(query), view, shortlist);
    const best = new Best(limit, (a: Near, b: Near) => a.document - b.document);
    for (let document = 0; document < this.#count; document++) {
      if ((this.#differing[document] ?? 0) > most) continue;
      const score = this.similarity(query, document);
      if (score >= best.least) best.offer({ document, score });
    }
    return best.sorted().map(({ document }) => document);
  }

  /**
   * Counts the differing signs of all visible documents. Returns the count up to which documents are
   * compared in full: a comparison of signs takes a twentieth of the time.
   */
  #compareSigns(signs: Uint32Array, view: View, shortlist: number): number {
    if (this.#differing.length !== this.#count) this.#differing = new Uint16Array(this.#count);
    const differing = this.#differing;
    const counts = new Uint32Array(this.#words.dimensions + 1);
    for (let document = 0; document < this.#count; document++) {
      const difference = view.sees(document) ? this.#differences(signs, document) : HIDDEN;
      differing[document] = difference;
      if (difference !== HIDDEN) counts[difference] = (counts[difference] ?? 0) + 1;
    }
    let found = 0;
    let most = -1;
    while (found < shortlist && most < this.#words.dimensions) found += counts[++most] ?? 0;
    return most;
  }

  #differences(signs: Uint32Array, document: number): number {
    const from = document * signs.length;
    let sum = 0;
    for (let i = 0; i < signs.length; i++)
      sum += bitsIn((signs[i] ?? 0) ^ (this.#signs[from + i] ?? 0));
    return sum;
  }

  /** The cosine of the angle between a query's vector and a document's, from -1 to 1. */
  similarity(query: Float32Array, document: number): number {
    const { dimensions } = this.#words;
    const from = document * dimensions;
    let product = 0;
    for (let i = 0; i < dimensions; i++)
      product += (query[i] ?? 0) * (this.#vectors[from + i] ?? 0);
    return product / SCALE;
  }

  #put(sum: Float32Array): void {
    const { dimensions } = this.#words;
    const from = this.#count++ * dimensions;
    if (from + dimensions > this.#vectors.length) {
      const larger = new Int8Array(2 * (from + dimensions));
      larger.set(this.#vectors);
      this.#vectors = larger;
    }
    this.#vectors.set(
      unit(sum).map((value) => Math.round(value * SCALE)),
      from,
    );
  }
}

interface Near {
  readonly document: number;
  readonly score: number;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

function signsOf(vector: Float32Array | Int8Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / 32));
  for (const [i, value] of vector.entries())
    if (value > 0) signs[i >> 5] = (signs[i >> 5] ?? 0) | (1 << (i & 31));
  return signs;
}

/** The number of ones in 32 bits. */
function bitsIn(bits: number): number {
  let sums = bits - ((bits >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
