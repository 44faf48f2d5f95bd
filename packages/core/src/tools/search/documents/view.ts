import type { Postings } from '../terms/index.ts';

/** The documents that a search may see, and how many of them contain each term. */
export class View {
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
