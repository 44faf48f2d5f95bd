/** What a score follows from. All but `similarity` are from 0 to 1. */
export interface ScoreSigns {
  /** The share of the query's words that the tool has, each counted by how much it says. */
  readonly words: number;
  /** How much the most telling word says that the tool lacks and that tools elsewhere have. */
  readonly missing: number;
  /** The share of the query's words that the best of the tools elsewhere has. */
  readonly referenceWords: number;
  /** As `words`, and a word near in meaning counts in part; 0 without word vectors. */
  readonly meaning: number;
  /** The similarity of the query and the tool in meaning, from -1 to 1; 0 without word vectors. */
  readonly similarity: number;
  /** The mean similarity of the nearest tools elsewhere, from 0 to 1; 0 without word vectors. */
  readonly referenceSimilarity: number;
}
