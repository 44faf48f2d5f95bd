/** Vectors of words, for similarity in meaning. */
export interface WordVectors {
  readonly dimensions: number;
  /** Adds the weighted vector of a lower-case word to `sum`. Returns false for an unknown word. */
  add(word: string, weight: number, sum: Float32Array): boolean;
}
