export type { WordVectors } from '../tools/search/index.ts';
export { loadVectors } from './load-vectors.ts';
export { readVectors } from './read-vectors.ts';
