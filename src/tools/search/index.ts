export type {
  Explanation,
  ScoreScale,
  SearchHit,
  SearchOptions,
  ToolDocument,
  ToolSearch,
  WordMatch,
  WordVectors,
} from './contract/index.ts';
export { createLexicalSearch, type LexicalSearchOptions } from './lexical.ts';
