import type { Database } from '../database/index.ts';
import { type JsonColumn, parsed, written } from './json-column.ts';

/** Keeps texts as long as an entry. */
export function addTexts(
  database: Database,
  entry: number,
  texts: ReadonlyMap<string, string>,
): void {
  for (const [address, text] of texts) {
    if (!database.get('SELECT 1 FROM text WHERE address = ?', address)) {
      const { json, checksum } = written(text, address);
      const sql = 'INSERT INTO text (address, checksum, json) VALUES (?, ?, ?)';
      database.run(sql, address, checksum, json);
    }
    const sql = 'INSERT INTO text_use (entry, text) SELECT ?, number FROM text WHERE address = ?';
    database.run(sql, entry, address);
  }
}

export function findText(database: Database, address: string): string | undefined {
  const row = database.get<JsonColumn>(
    'SELECT json, checksum FROM text WHERE address = ?',
    address,
  );
  return row && String(parsed(row, database.file, `the text ${address}`, address));
}
