export type { ScoreSigns } from './score-signs.ts';
export type { ToolDocument } from './tool-document.ts';
export type {
  Explanation,
  ScoreScale,
  SearchHit,
  SearchOptions,
  ToolSearch,
  WordMatch,
} from './tool-search.ts';
export type { WordVectors } from './word-vectors.ts';
