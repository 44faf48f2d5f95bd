import { create, insert, search } from '@orama/orama';
import type { Method } from '../method.ts';
import { splitIdentifiers, textFields } from './text.ts';

export const orama: Method = {
  id: 'orama',
  title: 'Orama 3.1.18',
  isOurs: false,
  async index(tools) {
    const schema = {
      name: 'string',
      server: 'string',
      description: 'string',
      parameters: 'string',
    } as const;
    const index = create({ schema });
    for (const tool of tools) await insert(index, textFields(tool));
    return {
      search: async (query, limit) => {
        const { hits } = await search(index, { term: splitIdentifiers(query), limit });
        return { keys: hits.map(({ id }) => id) };
      },
    };
  },
};
