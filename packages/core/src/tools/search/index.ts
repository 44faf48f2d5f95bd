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
export {
  createLexicalSearch,
  createLexicalSearch as lexical,
  type LexicalSearchOptions,
} from './lexical.ts';
