/**
 * What a score follows from. Shares are from 0 to 1. Similarities are cosines from -1 to 1, up to an error
 * of rounding. The signs of the first hit are the best ones of the first hits together: there, a
 * similarity below 0 is 0.
 */
export interface ScoreSigns {
  /** The share of the query's words that the tool has, each counted by how much it says. */
  readonly words: number;
  /** How much the most telling word says that the tool lacks and that the reference corpus has: from 0 to 0.8. */
  readonly missing: number;
  /** The share of the query's words that the best tool of the reference corpus has. */
  readonly referenceWords: number;
  /** As `words`, and a word near in meaning counts in part; 0 without word vectors. */
  readonly meaning: number;
  /** The similarity of the query and the tool in meaning; 0 without word vectors. */
  readonly similarity: number;
  /** The mean similarity of the nearest tools of the reference corpus; 0 without word vectors. */
  readonly referenceSimilarity: number;
  /** The similarity of the tool and the most similar of these nearest tools; 0 without word vectors. */
  readonly likeness: number;
}
