export type {
  Explanation,
  ScoreScale,
  ScoreSigns,
  SearchHit,
  SearchOptions,
  ToolDocument,
  ToolSearch,
  WordMatch,
  WordVectors,
} from './contract/index.ts';
export { createLexicalSearch, type LexicalSearchOptions } from './lexical.ts';
