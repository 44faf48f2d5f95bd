import { checkKnown } from '../tools/names/index.ts';
import type { ToolSearch } from '../tools/search/index.ts';
import { onDemand } from '../tools/values/index.ts';
import { fuse } from './hybrid.ts';
import { checkHybridOptions, type HybridOptions } from './hybrid-options.ts';
import { loadSearch, type VectorSearchOptions } from './load-search.ts';
import { loadVectors } from './load-vectors.ts';

export type { WordVectors } from '../tools/search/index.ts';
export type { EmbeddingCache, EmbedRequest, HybridOptions } from './hybrid-options.ts';
export type { VectorSearchOptions } from './load-search.ts';
export { readVectors } from './read-vectors.ts';
export { loadVectors };

/** The table of the package, which all searches of a process share. */
const sharedTable = onDemand(loadVectors);
const shared = async (): ReturnType<typeof loadVectors> => sharedTable();

/**
 * For the option `search`: the built-in search with word vectors. Where their file cannot be read, it
 * compares words alone; `explain` of a session says which. `translate` of the options is that of the built-in search.
 */
export async function searchWithVectors(options: VectorSearchOptions = {}): Promise<ToolSearch> {
  checkKnown('searchWithVectors()', options, { translate: true });
  return loadSearch(shared, options);
}

/**
 * For the option `search`: the same search, which also compares embeddings of an embedder of the app's own:
 * `hybrid({ embed: embedMany, model })`.
 */
export function hybrid<MODEL>(options: HybridOptions<MODEL>): () => Promise<ToolSearch> {
  checkHybridOptions(options);
  return async () => fuse(await loadSearch(shared, options), options);
}
