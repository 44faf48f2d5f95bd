import { type DocumentWords, FIELDS, type FieldName } from './fields.ts';
import { grown } from './postings.ts';
import type { WordVectors } from './tool-search.ts';
import { type Scored, TopDocuments, type VisibleDocuments } from './view.ts';

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
    view: VisibleDocuments,
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
function sumsOf(vectors: WordVectors, texts: readonly (readonly string[])[]): Float32Array[] {
  const sums = texts.map(() => new Float32Array(vectors.dimensions));
  for (const [at, sum] of sums.entries())
    for (const word of new Set(texts[at])) vectors.add(word, 1, sum);
  return sums;
}

/** Adds up the vectors of a document's words. Words are looked up once, by the numbers of one vocabulary. */
class VectorSum {
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

/** In place of the number of differing bits. */
const HIDDEN = 0xffff;

/**
 * Vectors with one bit for each number: 1 above 0, else 0. Vectors that differ in few bits have nearly the
 * same direction, and a comparison of bits takes a fraction of the time of one in full.
 */
export class BinaryVectors {
  readonly #dimensions: number;
  /** 32 of them in each number; all those of a document side by side, a multiple of three numbers. */
  readonly #bits: Uint32Array;
  readonly #size: number;
  /** For each document, the number of bits in which it differs from the last query. */
  readonly #differing: Uint16Array;

  /** Reads vectors that lie one behind the other. */
  constructor(vectors: Int8Array, dimensions: number) {
    this.#dimensions = dimensions;
    this.#size = 3 * Math.ceil(dimensions / 96);
    const count = Math.floor(vectors.length / dimensions);
    this.#bits = new Uint32Array(count * this.#size);
    this.#differing = new Uint16Array(count);
    for (let document = 0; document < count; document++)
      writeBits(vectors, document * dimensions, dimensions, this.#bits, document * this.#size);
  }

  /**
   * The visible documents that differ from a vector in the fewest bits, in rising order: at least
   * `least` of them where there are so many, and all others that differ in as few.
   */
  nearest(vector: Float32Array, least: number, view: VisibleDocuments): Uint32Array {
    this.#compare(vector);
    const counts = this.#counts(view);
    let found = 0;
    let most = -1;
    while (found < least && most < this.#dimensions) found += counts[++most] ?? 0;
    const documents = new Uint32Array(found);
    const differing = this.#differing;
    let at = 0;
    for (let document = 0; at < found; document++)
      if ((differing[document] ?? HIDDEN) <= most) documents[at++] = document;
    return documents;
  }

  /** Counts the differing bits of each document, 96 at a time. */
  #compare(vector: Float32Array): void {
    const size = this.#size;
    const bits = this.#bits;
    const differing = this.#differing.fill(0);
    const own = new Uint32Array(size);
    writeBits(vector, 0, this.#dimensions, own, 0);
    for (let part = 0; part < size; part += 3) {
      const [a = 0, b = 0, c = 0] = own.subarray(part);
      for (let document = 0, at = part; document < differing.length; document++, at += size) {
        const ones = bitsIn(a ^ (bits[at] ?? 0), b ^ (bits[at + 1] ?? 0), c ^ (bits[at + 2] ?? 0));
        differing[document] = (differing[document] ?? 0) + ones;
      }
    }
  }

  /** The number of visible documents that differ in each number of bits. */
  #counts({ visible }: VisibleDocuments): Uint32Array {
    const differing = this.#differing;
    const counts = new Uint32Array(this.#dimensions + 1);
    for (let document = 0; document < differing.length; document++) {
      const difference = differing[document] ?? 0;
      if (visible && visible[document] !== 1) differing[document] = HIDDEN;
      else counts[difference] = (counts[difference] ?? 0) + 1;
    }
    return counts;
  }
}

function writeBits(
  vector: Float32Array | Int8Array,
  from: number,
  length: number,
  bits: Uint32Array,
  to: number,
): void {
  for (let i = 0; i < length; i++) {
    if ((vector[from + i] ?? 0) <= 0) continue;
    const word = to + (i >> 5);
    bits[word] = (bits[word] ?? 0) | (1 << (i & 31));
  }
}

/** The number of ones in three times 32 bits: those of each 2, then 4, then 8 bits side by side. */
function bitsIn(a: number, b: number, c: number): number {
  const fours = onesOfFour(a) + onesOfFour(b) + onesOfFour(c);
  const eights = (fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f);
  return Math.imul(eights, 0x01010101) >>> 24;
}

function onesOfFour(bits: number): number {
  const twos = (bits - ((bits >>> 1) & 0x55555555)) | 0;
  return (twos & 0x33333333) + ((twos >>> 2) & 0x33333333);
}
