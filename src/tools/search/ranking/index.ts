export { Evidence } from './evidence.ts';
export { explain } from './explanation.ts';
export { firstPage } from './page.ts';
export type { Ranked } from './ranked.ts';
export { Ranking } from './ranking.ts';
