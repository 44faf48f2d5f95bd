import MiniSearch from 'minisearch';
import type { Method } from '../method.ts';
import { splitIdentifiers, type TextFields, textFields } from './text.ts';

export const miniSearch: Method = {
  id: 'minisearch',
  title: 'MiniSearch 7.2.0',
  isOurs: false,
  index(tools) {
    const index = new MiniSearch<TextFields>({
      fields: ['name', 'server', 'description', 'parameters'],
      searchOptions: { boost: { name: 2 } },
    });
    index.addAll(tools.map(textFields));
    return {
      search: (query, limit) => {
        const hits = index.search(splitIdentifiers(query));
        return { keys: hits.slice(0, limit).map(({ id }) => id) };
      },
    };
  },
};
