/** A word of a query in a hit. */
export interface WordMatch {
  /** The word as the query has it. */
  readonly word: string;
  /** The word that the index has instead, if the query's was repaired. */
  readonly repaired?: string;
  readonly fields: readonly (
    | 'name'
    | 'group'
    | 'description'
    | 'parameter names'
    | 'parameter descriptions'
  )[];
  /** The share of the hit's score without bonuses, from 0 to 1. */
  readonly share: number;
}

/** Why a tool was found. */
export interface Explanation {
  readonly words: readonly WordMatch[];
  /** Words of the query that no visible document contains. */
  readonly unknown: readonly string[];
  /** Whether the query is the tool's whole name or the end of it. */
  readonly name?: 'whole' | 'end';
  /** The similarity in meaning, from -1 to 1, where the search has word vectors. */
  readonly similarity?: number;
  /** Present if the tool does something else than the query asks for, such as to remove: similarity counts less. */
  readonly doesOther?: true;
  /** What the score follows from, where the search can say it. A match by name has its score from that alone. */
  readonly signs?: ScoreSigns;
}

/** A found tool. */
export interface SearchHit {
  readonly key: string;
  /** Higher is better. What can be compared says `ToolSearch.scale`. */
  readonly score: number;
  /**
   * How the ranking rates the hit in relation to the tool that it rates best, from 0 to 1. Hits by name may
   * break the order.
   */
  readonly relevance?: number;
  /** Keys of other tools with the same name, description and parameters, best first. */
  readonly twins?: readonly string[];
  /** Where the search was asked to explain itself. */
  readonly why?: Explanation;
}

/** How to read the scores of a search that can be compared between queries and indexes. */
export interface ScoreScale {
  /** Below this score of the best hit, no tool fits the query. */
  readonly fits: number;
  /** From this score on, a tool most probably is the one that is meant. */
  readonly clear: number;
}

export interface SearchOptions {
  readonly limit: number;
  /**
   * Whether a search may see a key. An implementation may remember the answers of one function: pass
   * another function when answers change.
   */
  readonly allows: (key: string) => boolean;
  /** Adds `why` to the hits, where the search can. */
  readonly explain?: boolean;
}

/**
 * Finds tools by what they are for. Another implementation may replace the built-in one if it
 * keeps this contract.
 */
export interface ToolSearch {
  /** Adds documents; a document with a known key replaces the old one. */
  index(documents: readonly ToolDocument[]): void;
  /**
   * Returns at most `limit` hits, the best first, and only keys that `allows` accepts: a
   * refused document must not change the answer in any way. May return nothing. Depends only
   * on what was indexed.
   */
  search(query: string, options: SearchOptions): readonly SearchHit[];
  /**
   * Does what a search for these queries needs and cannot do at once, such as embedding them and the tools.
   * Called before `search` where somebody can wait: a query may also be searched without. Must not reject.
   */
  prepare?(queries: readonly string[]): Promise<void>;
  /** Present if scores are between 0 and 1 and can be compared between searches. */
  readonly scale?: ScoreScale;
  /** Whether it reads only parts of a query. If left out, it reads every query as a whole. */
  isCut?(query: string): boolean;
  /** What it compares, for example `words`. `explain` of a session says it. */
  readonly compares?: string;
  /** What the developer should know, such as a part that is missing. A layer warns of it when the search has loaded. */
  readonly warning?: string;
  /** The index as bytes, for a search of the same kind to begin with. */
  store?(): Uint8Array;
}

/** The text of a tool for search. `key` belongs to the caller and is returned in hits. */
export interface ToolDocument {
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
}

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
