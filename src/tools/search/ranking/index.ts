export { Evidence } from './evidence.ts';
export { explain } from './explanation.ts';
export {
  bestSigns,
  likelihoodOf,
  SCORE_SIGNS,
  SCORES,
  type ScoreModel,
  type ScoreWeights,
} from './likelihood.ts';
export { firstPage } from './page.ts';
export type { NameMatch, Ranked } from './ranked.ts';
export { Ranking } from './ranking.ts';
