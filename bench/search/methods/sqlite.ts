import { DatabaseSync } from 'node:sqlite';
import type { Method } from '../method.ts';
import { splitIdentifiers, textFields } from './text.ts';

export const sqlite: Method = {
  id: 'sqlite',
  title: 'SQLite FTS5',
  isOurs: false,
  index(tools) {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE VIRTUAL TABLE tools USING fts5(name, server, description, parameters)');
    const insert = database.prepare(
      'INSERT INTO tools (rowid, name, server, description, parameters) VALUES (?, ?, ?, ?, ?)',
    );
    database.exec('BEGIN');
    for (const [n, tool] of tools.entries()) {
      const { name, server, description, parameters } = textFields(tool);
      insert.run(n + 1, name, server, description, parameters);
    }
    database.exec('COMMIT');
    const select = database.prepare(
      'SELECT rowid FROM tools WHERE tools MATCH ? ORDER BY bm25(tools) LIMIT ?',
    );
    return {
      search: (query, limit) => {
        const match = matchOf(query);
        const rows = match === '' ? [] : select.all(match, limit);
        return { keys: rows.map(({ rowid }) => tools[Number(rowid) - 1]?.key ?? '') };
      },
      bytes: () => {
        const row = database
          .prepare(
            'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
          )
          .get();
        return Number(row?.bytes);
      },
      close: () => database.close(),
    };
  },
};

/** Any of the query's words, each quoted so that none is read as an operator. */
function matchOf(query: string): string {
  const words = splitIdentifiers(query)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words)].map((word) => `"${word}"`).join(' OR ');
}
