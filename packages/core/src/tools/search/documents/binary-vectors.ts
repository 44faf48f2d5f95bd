import type { View } from './view.ts';

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
  nearest(vector: Float32Array, least: number, view: View): Uint32Array {
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
  #counts({ visible }: View): Uint32Array {
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
