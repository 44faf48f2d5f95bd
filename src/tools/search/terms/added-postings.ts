import { grown } from './grown.ts';

const FIRST_LENGTH = 1_024;

/** Postings in the order in which they were added, in typed arrays that grow. */
export class AddedPostings {
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
