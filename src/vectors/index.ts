import type { ToolSearch } from '../tools/search/index.ts';
import { loadSearch } from './load-search.ts';
import { loadVectors } from './load-vectors.ts';

export type { WordVectors } from '../tools/search/index.ts';
export { readVectors } from './read-vectors.ts';
export { loadVectors };

/**
 * For the option `search`: the built-in search with word vectors. Where their file cannot be read, it
 * compares words alone; `explain` of a session says which.
 */
export function searchWithVectors(): Promise<ToolSearch> {
  return loadSearch(loadVectors);
}
