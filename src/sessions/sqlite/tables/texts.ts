import type { Database } from '../database/index.ts';
import { type JsonColumn, parsed, written } from './json-column.ts';

/** Keeps texts as long as an entry. */
export function addTexts(
  database: Database,
  entry: number,
  texts: ReadonlyMap<string, string>,
): void {
  for (const [address, text] of texts) {
    database.run(
      'INSERT INTO text_use (entry, text) VALUES (?, ?)',
      entry,
      keep(database, address, text),
    );
  }
}

export function findText(database: Database, address: string): string | undefined {
  const row = database.get<JsonColumn>(
    'SELECT json, checksum FROM text WHERE address = ?',
    address,
  );
  return row && String(parsed(row, database.file, `the text ${address}`, address));
}

function keep(database: Database, address: string, text: string): number {
  const known = database.get<{ number: number }>(
    'SELECT number FROM text WHERE address = ?',
    address,
  );
  if (known) return known.number;
  const { json, checksum } = written(text, address);
  return database.insert(
    'INSERT INTO text (address, checksum, json) VALUES (?, ?, ?)',
    ...[address, checksum, json],
  );
}
