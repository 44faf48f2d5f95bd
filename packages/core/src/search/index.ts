export { DocumentVectors } from './document-vectors.ts';
export { FIELDS, WEIGHTS, type Weights } from './fields.ts';
export { bestSigns, Evidence, SCORES, scoreOf } from './likelihood.ts';
export { isCut } from './query.ts';
export { type NameMatch, type Ranked, type RankedQuery, Ranking } from './ranking.ts';
export { ReferenceCorpus } from './reference-corpus.ts';
export { ToolIndex } from './tool-index.ts';
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
} from './tool-search.ts';
