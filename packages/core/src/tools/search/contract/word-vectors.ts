/** Vectors of words, for similarity in meaning. */
export interface WordVectors {
  readonly dimensions: number;
  /** Adds the weighted vector of a lower-case word to `sum`. Returns false for an unknown word. */
  add(word: string, weight: number, sum: Float32Array): boolean;
  /**
   * The phrases among the words of a text, such as `turn down`, with a space between their words. `add` takes
   * each of them as a word. Optional. A search asks for the phrases of queries only.
   */
  phrasesIn?(words: readonly string[]): readonly string[];
  /**
   * The numbers of lower-case words' vectors, -1 for an unknown word. Optional, together with `addRows`:
   * with both, an index looks each word up once, and all new words of a document in one call.
   */
  rowsOf?(words: readonly string[]): readonly number[];
  /**
   * Adds weighted vectors to `sum` by their numbers, one after another. The weight of each is at the same
   * place. Nothing is added for -1.
   */
  addRows?(rows: readonly number[], weights: readonly number[], sum: Float32Array): void;
  /**
   * Vectors of tools of all kinds, one behind the other, made as those of documents are: of length 1 in steps of
   * 1/127. Scores compare with them. Optional: without it, a search makes such vectors of a list of words.
   */
  readonly reference?: Int8Array;
}
