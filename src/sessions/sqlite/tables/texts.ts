import type { Database } from './database.ts';
import { type JsonColumn, parsed, written } from './json-column.ts';

/** Keeps texts as long as an entry. */
export function addTexts(
  database: Database,
  entry: number,
  texts: ReadonlyMap<string, string>,
): void {
  for (const [address, text] of texts) {
    const sql = 'SELECT number AS row FROM text WHERE address = ?';
    const { row } = database.get<{ row: number }>(sql, address) ?? insert(database, address, text);
    database.run('INSERT INTO text_use (entry, text) VALUES (?, ?)', entry, row);
  }
}

function insert(database: Database, address: string, text: string): { readonly row: number } {
  const { json, checksum } = written(text, address);
  const sql = 'INSERT INTO text (address, checksum, json) VALUES (?, ?, ?)';
  return database.run(sql, address, checksum, json);
}

export function findText(database: Database, address: string): string | undefined {
  const row = database.get<JsonColumn>(
    'SELECT json, checksum FROM text WHERE address = ?',
    address,
  );
  return row && String(parsed(row, database.file, `the text ${address}`, address));
}
