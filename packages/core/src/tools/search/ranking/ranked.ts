import type { IndexedTool } from '../documents/index.ts';

/** A document with its score. */
export interface Ranked {
  readonly tool: IndexedTool;
  readonly document: number;
  /** Its position among the documents of the search. */
  readonly position: number;
  readonly score: number;
  /** How the query matches the name as a whole. */
  readonly nameMatch: NameMatch;
  readonly similarity: number;
  /** Whether the tool is known to do something else than the query asks for. */
  readonly doesOther: boolean;
}

/** 2 where a query spells the whole name, 1 where several words of it end the name, else 0. */
export type NameMatch = 0 | 1 | 2;
