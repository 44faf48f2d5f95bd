import type { ToolSearch, WordVectors } from '../tools/search/index.ts';

/** Loads the built-in search, with word vectors where they can be loaded, else by words alone. */
export async function loadSearch(load: () => Promise<WordVectors>): Promise<ToolSearch> {
  const [{ createLexicalSearch }, vectors] = await Promise.all([
    import('../tools/search/index.ts'),
    load().catch(() => undefined),
  ]);
  return createLexicalSearch(vectors ? { vectors } : {});
}
