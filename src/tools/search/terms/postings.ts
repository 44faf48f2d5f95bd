import { Numbers } from './numbers.ts';

/** The largest weight that a posting can hold. Larger ones are cut. */
const MAX_WEIGHT = 2;
const STEPS = 0xffff;
/** Documents that a look through a list skips at once. */
const STRIDE = 16;

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
  #added = noPostings();

  /** Adds a posting. Documents are added in rising order, each term of a document once. */
  add(term: number, document: number, weight: number, fields: number): void {
    const step = Math.round((Math.min(weight, MAX_WEIGHT) * STEPS) / MAX_WEIGHT);
    this.#added.terms.push(term);
    this.#added.documents.push(document);
    this.#added.weights.push(Math.max(1, step));
    this.#added.fields.push(fields);
  }

  weight(at: number): number {
    return (this.weights[at] ?? 0) * Postings.unit;
  }

  /** The place of each document in the list of a term, or -1. The documents are in rising order. */
  find(term: number, documents: Uint32Array): Int32Array {
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
    const starts = this.#countLists(terms, numberOf);
    const total = starts[terms] ?? 0;
    const documents = new Uint32Array(total);
    const weights = new Uint16Array(total);
    const fields = new Uint8Array(total);
    const next = starts.slice();
    this.#forEach((term, document, weight, fieldSet) => {
      const number = numberOf[document] ?? -1;
      if (number < 0) return;
      const at = next[term] ?? 0;
      next[term] = at + 1;
      documents[at] = number;
      weights[at] = weight;
      fields[at] = fieldSet;
    });
    this.starts = starts;
    this.documents = documents;
    this.fields = fields;
    this.weights = weights;
    this.#added = noPostings();
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

  #countLists(terms: number, numberOf: Int32Array): Uint32Array {
    const starts = new Uint32Array(terms + 1);
    this.#forEach((term, document) => {
      if ((numberOf[document] ?? -1) >= 0) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
    });
    for (let term = 0; term < terms; term++)
      starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    return starts;
  }

  #forEach(visit: (term: number, document: number, weight: number, fields: number) => void): void {
    for (let term = 0; term + 1 < this.starts.length; term++) {
      const end = this.starts[term + 1] ?? 0;
      for (let at = this.starts[term] ?? 0; at < end; at++)
        visit(term, this.documents[at] ?? 0, this.weights[at] ?? 0, this.fields[at] ?? 0);
    }
    const { terms, documents, weights, fields } = this.#added;
    for (let at = 0; at < terms.length; at++)
      visit(terms.at(at), documents.at(at), weights.at(at), fields.at(at));
  }
}

function noPostings() {
  return {
    terms: new Numbers((length) => new Uint32Array(length)),
    documents: new Numbers((length) => new Uint32Array(length)),
    weights: new Numbers((length) => new Uint16Array(length)),
    fields: new Numbers((length) => new Uint8Array(length)),
  };
}
