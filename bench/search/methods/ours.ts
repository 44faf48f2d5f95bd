import { createLexicalSearch, type ToolSearch } from '../../../src/tools/search/index.ts';
import type { Method } from '../method.ts';

/** The built-in search, as a session uses it. Each setting of it is a method. */
function ours(id: string, title: string, create: () => ToolSearch | Promise<ToolSearch>): Method {
  return {
    ...{ id, title, isOurs: true },
    async index(tools) {
      const search = await create();
      search.index(tools);
      return {
        search: (query, limit) => ({
          keys: search.search(query, { limit, allows: () => true }).map(({ key }) => key),
        }),
      };
    },
  };
}

// The place for `vectors`, with `createLexicalSearch({ vectors: await loadVectors() })`.
export const OURS: readonly Method[] = [ours('lexical', 'Toolfold', () => createLexicalSearch())];
