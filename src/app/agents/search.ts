import type { ToolSearch } from '../../tools/search/index.ts';

/** Loads the built-in search with word vectors: 3.1 MB, so only when somebody searches. */
export async function searchWithVectors(): Promise<ToolSearch> {
  const [{ createLexicalSearch }, { loadVectors }] = await Promise.all([
    import('../../tools/search/index.ts'),
    import('../../vectors/index.ts'),
  ]);
  return createLexicalSearch({ vectors: await loadVectors() });
}
