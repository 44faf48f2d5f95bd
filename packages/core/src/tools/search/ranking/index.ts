export { Evidence } from './evidence.ts';
export { explain } from './explanation.ts';
export {
  bestSigns,
  likelihoodOf,
  SCORE_SIGNS,
  SCORES,
  type ScoreModel,
  type ScoreWeights,
  scoreOf,
} from './likelihood.ts';
export { firstPage } from './page.ts';
export { isCut } from './query-text.ts';
export type { NameMatch } from './ranked.ts';
export { Ranking } from './ranking.ts';
