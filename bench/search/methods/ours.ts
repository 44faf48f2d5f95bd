import { createLexicalSearch, type ToolSearch } from '../../../src/tools/search/index.ts';
import { loadVectors } from '../../../src/vectors/index.ts';
import type { Method } from '../method.ts';

/** A hit may stand for equal tools. The others count as hits after it. */
interface Hit {
  readonly key: string;
  readonly twins?: readonly string[];
}

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;

/** The built-in search, as a session uses it. Each setting of it is a method. */
function ours(id: string, title: string, create: () => ToolSearch | Promise<ToolSearch>): Method {
  return {
    ...{ id, title, isOurs: true },
    async index(tools) {
      const search = await create();
      search.index(tools);
      return {
        search: (query, limit) => {
          const hits: readonly Hit[] = search.search(query, { limit, allows: everything });
          return { keys: hits.flatMap(({ key, twins = [] }) => [key, ...twins]).slice(0, limit) };
        },
      };
    },
  };
}

export const OURS: readonly Method[] = [
  ours('lexical', 'Toolfold, words', () => createLexicalSearch()),
  ours('vectors', 'Toolfold, words and vectors', async () =>
    createLexicalSearch({ vectors: await loadVectors() }),
  ),
];
