import { createLexicalSearch } from '../../../src/tools/search/index.ts';
import type { Method } from '../method.ts';

/** The built-in search, as a session uses it. */
export const lexical: Method = {
  id: 'lexical',
  title: 'Toolfold',
  isOurs: true,
  index(tools) {
    const search = createLexicalSearch();
    search.index(tools);
    return {
      search: (query, limit) => ({
        keys: search.search(query, { limit, allows: () => true }).map(({ key }) => key),
      }),
    };
  },
};
