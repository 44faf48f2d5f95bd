import { createLexicalSearch, type ToolSearch } from '../../../packages/core/src/search.ts';
import { fuse } from '../../../packages/core/src/vectors/hybrid.ts';
import { loadVectors } from '../../../packages/core/src/vectors.ts';
import { type Embed, nothing } from '../embeddings.ts';
import type { Method } from '../method.ts';

/** Ours need not be stopped: the embeddings are there already. */
const everything = () => true;

/** Embeddings alone, and `hybrid` with them. */
export function embedded(embed: Embed): Method[] {
  return [
    embeddedMethod('embeddings', 'embeddings alone', embed, async () => nothing()),
    embeddedMethod('hybrid', 'Toolfold, hybrid', embed, async () =>
      createLexicalSearch({ vectors: await loadVectors() }),
    ),
  ];
}

function embeddedMethod(
  id: string,
  title: string,
  embed: Embed,
  create: () => Promise<ToolSearch>,
): Method {
  return {
    ...{ id, title, isOurs: id === 'hybrid' },
    async index(tools) {
      const failed = (error: unknown) => {
        throw error;
      };
      const search = fuse(await create(), { embed, model: 'embeddings', onError: failed });
      search.index(tools);
      return {
        search: async (query, limit) => {
          await search.prepare?.([query]);
          const hits = search.search(query, { limit, allows: everything });
          return { keys: hits.flatMap(({ key, twins = [] }) => [key, ...twins]).slice(0, limit) };
        },
      };
    },
  };
}
