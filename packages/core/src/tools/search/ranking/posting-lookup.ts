import type { Postings } from '../terms/index.ts';

/** Finds the documents of one search in the posting lists of terms. Each list is read once. */
export class PostingLookup {
  /** In rising order. */
  readonly documents: Uint32Array;
  readonly #places = new Map<Postings, Map<number, Int32Array>>();

  constructor(documents: Iterable<number>) {
    this.documents = Uint32Array.from(documents).sort();
  }

  /** The place of each document in the list of a term, or -1. */
  places(postings: Postings, term: number): Int32Array {
    let byTerm = this.#places.get(postings);
    if (byTerm === undefined) {
      byTerm = new Map();
      this.#places.set(postings, byTerm);
    }
    let places = byTerm.get(term);
    if (places === undefined) {
      places = postings.places(term, this.documents);
      byTerm.set(term, places);
    }
    return places;
  }
}
