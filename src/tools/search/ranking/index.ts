export { Evidence } from './evidence.ts';
export { explain } from './explanation.ts';
export { bestOf, likelihoodOf, SCORES, type ScoreWeights, SIGNS } from './likelihood.ts';
export { firstPage } from './page.ts';
export type { NameMatch } from './ranked.ts';
export { Ranking } from './ranking.ts';
