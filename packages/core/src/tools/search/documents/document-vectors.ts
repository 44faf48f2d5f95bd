import type { WordVectors } from '../contract/index.ts';
import { type DocumentWords, grown } from '../terms/index.ts';
import { BinaryVectors } from './binary-vectors.ts';
import { type Scored, TopDocuments } from './top-documents.ts';
import { sumsOf, VectorSum } from './vector-sum.ts';
import type { View } from './view.ts';

const SCALE = 127;
/** The fewest documents that are compared in full, where there are so many. */
const SHORTLIST = 100;

/** A vector for each document, of length 1 in steps of 1/127. */
export class DocumentVectors {
  readonly #words: WordVectors;
  readonly #sums: VectorSum;
  readonly #sum: Float32Array;
  #vectors: Int8Array;
  #count = 0;
  /** For a first selection of the nearest. Made from the vectors by each merge. */
  #binary: BinaryVectors;

  /** `expected`: the number of documents, if it is known. */
  constructor(words: WordVectors, expected = 64) {
    this.#words = words;
    this.#sums = new VectorSum(words);
    this.#sum = new Float32Array(words.dimensions);
    this.#vectors = new Int8Array(expected * words.dimensions);
    this.#binary = new BinaryVectors(new Int8Array(0), words.dimensions);
  }

  /** Adds the vector of the next document. `texts`: the words of one vocabulary, always the same. */
  add(words: DocumentWords, texts: readonly string[]): void {
    this.#sums.write(words, texts, this.#sum);
    this.put(this.#sum);
  }

  /** Adds the vector of the next document, given the sum of the vectors of its words. */
  put(sum: Float32Array): void {
    const { dimensions } = this.#words;
    const from = this.#count++ * dimensions;
    const end = from + dimensions;
    if (end > this.#vectors.length) this.#vectors = grown(this.#vectors, 2 * end);
    const length = lengthOf(sum);
    if (length === 0) return;
    const vectors = this.#vectors;
    const factor = SCALE / length;
    // As `Math.round`, in a fraction of its time: no number is below -127.
    for (let i = 0; i < dimensions; i++)
      vectors[from + i] = (((sum[i] ?? 0) * factor + 128.5) | 0) - 128;
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
    this.#vectors = this.#vectors.slice(0, count * dimensions);
    this.#binary = new BinaryVectors(this.#vectors, dimensions);
  }

  /** The highest cosine of the angle between the vectors of a document and of some of others, from -1 to 1. */
  likeness(document: number, others: DocumentVectors, some: readonly Scored[]): number {
    const { dimensions } = this;
    const from = document * dimensions;
    let most = -Infinity;
    for (const { document: other } of some) {
      const to = other * dimensions;
      let sum = 0;
      for (let i = 0; i < dimensions; i++)
        sum += (this.#vectors[from + i] ?? 0) * (others.#vectors[to + i] ?? 0);
      most = Math.max(most, sum);
    }
    return most / (SCALE * SCALE);
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
    this.#binary = new BinaryVectors(this.#vectors, this.dimensions);
  }

  /** The words that have a vector. */
  knownOf(words: Iterable<string>): ReadonlySet<string> {
    const known = new Set<string>();
    for (const word of words) if (this.#words.add(word, 0, this.#sum)) known.add(word);
    return known;
  }

  /** The lengths of the vectors of words: how much each says, as training found. 0 for an unknown word. */
  lengths(words: readonly string[]): number[] {
    const texts = words.map((word) => [word]);
    return sumsOf(this.#words, texts).map(lengthOf);
  }

  /** The vectors of texts, each of length 1. All zeros where no word is known. */
  queries(texts: readonly (readonly string[])[]): Float32Array[] {
    const sums = sumsOf(this.#words, texts);
    for (const sum of sums) {
      const length = lengthOf(sum);
      if (length > 0) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) / length;
    }
    return sums;
  }

  /**
   * The visible documents with the vectors nearest to a query's, with their similarities, at most `limit`,
   * in no order. At least `shortlist` documents are compared in full.
   */
  nearest(
    query: Float32Array,
    limit: number,
    view: View,
    shortlist: number = SHORTLIST,
  ): readonly Scored[] {
    const best = new TopDocuments(limit, (a, b) => a < b);
    for (const document of this.#binary.nearest(query, shortlist, view))
      best.offer(document, this.similarity(query, document));
    return best.items();
  }

  /** The similarity of each of several queries. */
  similarities(queries: readonly Float32Array[], document: number): number[] {
    return queries.map((query) => this.similarity(query, document));
  }

  /** The cosine of the angle between a query's vector and a document's, from -1 to 1. */
  similarity(query: Float32Array, document: number): number {
    const vectors = this.#vectors;
    const { length } = query;
    const from = document * length;
    // Four sums: an addition need not wait for the one before.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 4 <= length; i += 4) {
      a += (query[i] ?? 0) * (vectors[from + i] ?? 0);
      b += (query[i + 1] ?? 0) * (vectors[from + i + 1] ?? 0);
      c += (query[i + 2] ?? 0) * (vectors[from + i + 2] ?? 0);
      d += (query[i + 3] ?? 0) * (vectors[from + i + 3] ?? 0);
    }
    for (; i < length; i++) a += (query[i] ?? 0) * (vectors[from + i] ?? 0);
    return (a + b + c + d) / SCALE;
  }
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
