import type { ScoreSigns } from './score-signs.ts';
import type { ToolDocument } from './tool-document.ts';

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
  /** The index as bytes, for a search of the same kind to begin with. */
  store?(): Uint8Array;
}
