import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database, listSessions } from '../sqlite/index.ts';
import type { SessionRecord } from '../store/index.ts';

/** Most sessions that are read. */
const LIMIT = 200;

/**
 * The sessions in a folder that changed last, for suggestions. Unlike a store it creates nothing and
 * repairs nothing. Throws if the file cannot be read.
 */
export function knownSessions(folder: string): readonly SessionRecord[] {
  const file = join(folder, 'sessions.db');
  if (!existsSync(file)) return [];
  const database = new Database(file);
  try {
    return listSessions(database, { limit: LIMIT });
  } finally {
    database.close();
  }
}
