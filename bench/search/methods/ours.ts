import { createLexicalSearch, type ToolSearch } from '../../../src/tools/search/index.ts';
import { loadVectors } from '../../../src/vectors/index.ts';
import type { Method } from '../method.ts';

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;

/** A way to create the built-in search. */
export interface Setting {
  readonly id: string;
  /** What it compares, for example `words`. */
  readonly name: string;
  create(): ToolSearch | Promise<ToolSearch>;
}

export const SETTINGS: readonly Setting[] = [
  { id: 'lexical', name: 'words', create: () => createLexicalSearch() },
  {
    id: 'vectors',
    name: 'words and vectors',
    create: async () => createLexicalSearch({ vectors: await loadVectors() }),
  },
];

/** The built-in search, as a session uses it. Each setting of it is a method. */
export const OURS: readonly Method[] = SETTINGS.map(({ id, name, create }) => ({
  ...{ id, title: `Toolfold, ${name}`, isOurs: true },
  async index(tools) {
    const search = await create();
    search.index(tools);
    return {
      search: (query, limit) => {
        const hits = search.search(query, { limit, allows: everything });
        return { keys: hits.flatMap(({ key, twins = [] }) => [key, ...twins]).slice(0, limit) };
      },
    };
  },
}));
