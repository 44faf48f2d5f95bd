/**
 * What a score follows from. Shares are from 0 to 1. Similarities are cosines from -1 to 1, up to an error
 * of rounding. The signs of the first hit are the best ones of the first hits together: there, a
 * similarity below 0 is 0.
 */
export interface ScoreSigns {
  /**
   * The share of the query's words that the tool has in its name, its server or the beginning of its description,
   * each counted by how much it says.
   */
  readonly words: number;
  /**
   * How much the most telling word says that the tool lacks: from 0 to 0.8 for a word of the reference corpus.
   * With word vectors, it is the length of the word's vector, and a word near in meaning counts in part.
   */
  readonly missing: number;
  /** The share of the query's words that the best tool of the reference corpus has. */
  readonly referenceWords: number;
  /** How much the most telling word says that the tool has, or in part, with word vectors, is near to. */
  readonly meaning: number;
  /** The similarity of the query and the tool in meaning; 0 without word vectors. */
  readonly similarity: number;
  /** The mean similarity of the nearest tools of the reference corpus; 0 without word vectors. */
  readonly referenceSimilarity: number;
  /** The similarity of the tool and the most similar of these nearest tools; 0 without word vectors. */
  readonly likeness: number;
  /**
   * How few tools the search may see: the logarithm of 150 divided by their number, and 0 from 150 tools on. The
   * more tools there are, the better one of them matches by chance.
   */
  readonly fewTools: number;
}
