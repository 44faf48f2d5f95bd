/**
 * What bundlers for browsers and edge platforms take instead of `index.ts`, by the conditions in
 * package.json: no table and nothing that reads a file.
 */
import { ToolfoldError } from './errors.ts';
import type { ToolSearch, WordVectors } from './search/index.ts';
import { checkKnown } from './values/index.ts';
import {
  checkHybridOptions,
  fuse,
  type HybridOptions,
  loadSearch,
  type VectorSearchOptions,
} from './vectors/index.ts';

export type { WordVectors } from './search/index.ts';
export { readVectors } from './vectors/index.ts';

export async function loadVectors(): Promise<WordVectors> {
  throw new ToolfoldError(
    'missing-dependency',
    'The word vectors are a file, and this bundle is for a platform without a file system.',
    'Give the bytes of @toolfold/core/word-vectors.bin to readVectors, or search by words: `search: lexical()`.',
  );
}

export async function searchWithVectors(options: VectorSearchOptions = {}): Promise<ToolSearch> {
  checkKnown('searchWithVectors()', options, { translate: true });
  return loadSearch(loadVectors, options);
}

/**
 * For the option `search`: the same search, which also compares embeddings of an embedder of the app's own:
 * `hybrid({ embed: embedMany, model })`.
 */
export function hybrid<MODEL>(options: HybridOptions<MODEL>): () => Promise<ToolSearch> {
  checkHybridOptions(options);
  return async () => fuse(await loadSearch(loadVectors, options), options);
}
