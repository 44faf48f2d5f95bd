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
    const { terms, documents, weights, fields } = this;
    const length = 2 * this.length;
    this.terms = new Uint32Array(length);
    this.terms.set(terms);
    this.documents = new Uint32Array(length);
    this.documents.set(documents);
    this.weights = new Uint16Array(length);
    this.weights.set(weights);
    this.fields = new Uint8Array(length);
    this.fields.set(fields);
  }
}
