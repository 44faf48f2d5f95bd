import type { LexicalSearchOptions, ToolSearch, WordVectors } from '../tools/search/index.ts';
import { onDemand } from '../tools/values/index.ts';

/** What the search with vectors can also do. */
export type VectorSearchOptions = Pick<LexicalSearchOptions, 'translate'>;

const wordSearch = onDemand(() => import('../tools/search/index.ts'));

/** Loads the built-in search, with word vectors where they can be loaded, else by words alone. */
export async function loadSearch(
  load: () => Promise<WordVectors>,
  { translate }: VectorSearchOptions = {},
): Promise<ToolSearch> {
  const [{ createLexicalSearch }, vectors] = await Promise.all([
    wordSearch(),
    load().catch(() => undefined),
  ]);
  return createLexicalSearch({ ...(vectors && { vectors }), ...(translate && { translate }) });
}
