import { ToolfoldError } from './errors.ts';
import type { ToolSearch, WordVectors } from './search/index.ts';
import { checkKnown, onDemand } from './values/index.ts';
import {
  checkHybridOptions,
  fuse,
  type HybridOptions,
  loadSearch,
  readVectors,
  type VectorSearchOptions,
} from './vectors/index.ts';

export type { WordVectors } from './search/index.ts';
export {
  type EmbeddingCache,
  type EmbedRequest,
  type HybridOptions,
  readVectors,
  type VectorSearchOptions,
} from './vectors/index.ts';

/**
 * Reads the table that is part of the package, trained for tool search; 3.2 MB. Needs a file
 * system: elsewhere, give the bytes of the file `word-vectors.bin` to `readVectors`. Each call
 * reads the file again, so keep the answer. Throws a `ToolfoldError` if the file is damaged.
 */
export async function loadVectors(): Promise<WordVectors> {
  // No import names the module, so that bundles for other platforms can be built.
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (files === undefined)
    throw new ToolfoldError(
      'missing-dependency',
      'The word vectors are a file, and this platform has no file system.',
      'Give the bytes of @toolfold/core/word-vectors.bin to readVectors.',
    );
  return readVectors(await files.readFile(new URL('./vectors/word-vectors.bin', import.meta.url)));
}

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
