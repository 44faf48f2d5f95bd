import type { Postings } from './postings.ts';

/** The documents that a search may see, and how many of them contain each term. */
export class VisibleDocuments {
  /** The version of the index that the view belongs to. */
  readonly version: number;
  /** The number of visible documents. */
  readonly total: number;
  /** 1 for each document that it sees; undefined if it sees all. */
  readonly visible: Uint8Array | undefined;
  readonly #frequencies = new Map<Postings, Map<number, number>>();

  constructor(version: number, visible: Uint8Array) {
    this.version = version;
    this.total = visible.reduce((sum, one) => sum + one, 0);
    this.visible = this.total === visible.length ? undefined : visible;
  }

  /** The number of visible documents that contain a term. */
  documentFrequency(postings: Postings, term: number): number {
    const from = postings.starts[term] ?? 0;
    const to = postings.starts[term + 1] ?? from;
    const { visible } = this;
    if (!visible) return to - from;
    let counts = this.#frequencies.get(postings);
    if (counts === undefined) {
      counts = new Map();
      this.#frequencies.set(postings, counts);
    }
    let count = counts.get(term);
    if (count !== undefined) return count;
    count = 0;
    for (let at = from; at < to; at++) count += visible[postings.documents[at] ?? 0] === 1 ? 1 : 0;
    counts.set(term, count);
    return count;
  }

  /** The inverse document frequency of a term that so many visible documents contain; always above 0. */
  idf(documentFrequency: number): number {
    return Math.log(1 + (this.total - documentFrequency + 0.5) / (documentFrequency + 0.5));
  }
}

/** A document with its score. */
export interface Scored {
  readonly document: number;
  readonly score: number;
}

/** Keeps the best of many documents without sorting them: a heap with the worst of them on top. */
export class TopDocuments {
  /** A lower score is refused. */
  least: number = Number.NEGATIVE_INFINITY;
  readonly #limit: number;
  readonly #isBefore: (a: number, b: number) => boolean;
  readonly #documents: Uint32Array;
  readonly #scores: Float64Array;
  #size = 0;

  /** `isBefore` decides between documents with equal scores: whether `a` comes first. */
  constructor(limit: number, isBefore: (a: number, b: number) => boolean) {
    this.#limit = limit;
    this.#isBefore = isBefore;
    this.#documents = new Uint32Array(limit);
    this.#scores = new Float64Array(limit);
    if (limit <= 0) this.least = Number.POSITIVE_INFINITY;
  }

  offer(document: number, score: number): void {
    if (score < this.least) return;
    if (this.#size < this.#limit) this.#rise(this.#size++, document, score);
    else if (this.#isWorse(0, document, score)) this.#sink(document, score);
    if (this.#size === this.#limit) this.least = this.#scores[0] ?? this.least;
  }

  /** The best, in no order. */
  items(): readonly Scored[] {
    return Array.from(this.#documents.subarray(0, this.#size), (document, i) => ({
      document,
      score: this.#scores[i] ?? 0,
    }));
  }

  /** Whether the document in a place of the heap is worse than another document. */
  #isWorse(place: number, document: number, score: number): boolean {
    const own = this.#scores[place] ?? 0;
    if (own !== score) return own < score;
    return this.#isBefore(document, this.#documents[place] ?? 0);
  }

  #rise(from: number, document: number, score: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#isWorse(parent, document, score)) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, document, score);
  }

  #sink(document: number, score: number): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      const other = child + 1;
      const isOtherWorse =
        other < this.#size &&
        this.#isWorse(other, this.#documents[child] ?? 0, this.#scores[child] ?? 0);
      if (isOtherWorse) child = other;
      if (!this.#isWorse(child, document, score)) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(place, document, score);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#documents[from] ?? 0, this.#scores[from] ?? 0);
  }

  #put(place: number, document: number, score: number): void {
    this.#documents[place] = document;
    this.#scores[place] = score;
  }
}
