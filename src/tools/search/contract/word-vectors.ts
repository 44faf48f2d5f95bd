/** Vectors of words, for similarity in meaning. */
export interface WordVectors {
  readonly dimensions: number;
  /** Adds the weighted vector of a lower-case word to `sum`. Returns false for an unknown word. */
  add(word: string, weight: number, sum: Float32Array): boolean;
  /**
   * The number of a lower-case word's vector, -1 for an unknown word. Optional, together with `addRow`:
   * with both, an index looks each word up once.
   */
  rowOf?(word: string): number;
  /** Adds a weighted vector to `sum` by its number. */
  addRow?(row: number, weight: number, sum: Float32Array): void;
}
