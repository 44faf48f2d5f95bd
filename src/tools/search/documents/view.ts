import type { Postings } from '../terms/index.ts';

/** The documents that a search may see, and how many of them hold each term. */
export class View {
  /** The version of the index that the view belongs to. */
  readonly version: number;
  readonly total: number;
  readonly #visible: Uint8Array;
  readonly #isWhole: boolean;
  readonly #holders = new Map<Postings, Map<number, number>>();

  constructor(version: number, visible: Uint8Array) {
    this.version = version;
    this.#visible = visible;
    this.total = visible.reduce((sum, one) => sum + one, 0);
    this.#isWhole = this.total === visible.length;
  }

  sees(document: number): boolean {
    return this.#isWhole || this.#visible[document] === 1;
  }

  /** The number of visible documents that hold a term. */
  holders(postings: Postings, term: number): number {
    const from = postings.starts[term] ?? 0;
    const to = postings.starts[term + 1] ?? from;
    if (this.#isWhole) return to - from;
    let counts = this.#holders.get(postings);
    if (counts === undefined) {
      counts = new Map();
      this.#holders.set(postings, counts);
    }
    let count = counts.get(term);
    if (count !== undefined) return count;
    count = 0;
    for (let at = from; at < to; at++)
      count += this.#visible[postings.documents[at] ?? 0] === 1 ? 1 : 0;
    counts.set(term, count);
    return count;
  }

  /** The weight of a term that `holders` of the visible documents contain; always above 0. */
  rarity(holders: number): number {
    return Math.log(1 + (this.total - holders + 0.5) / (holders + 0.5));
  }
}
