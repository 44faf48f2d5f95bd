import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../sqlite/index.ts';

/** Most sessions that are read. */
const LIMIT = 200;

export interface KnownSession {
  readonly id: string;
  readonly title: string | null;
}

/**
 * The sessions in a folder that changed last, for suggestions. Unlike a store it creates nothing and
 * repairs nothing. Throws if the file cannot be read.
 */
export function knownSessions(folder: string): readonly KnownSession[] {
  const file = join(folder, 'sessions.db');
  if (!existsSync(file)) return [];
  const database = new Database(file);
  try {
    return database.all<KnownSession>(
      'SELECT id, title FROM session WHERE parent IS NULL ORDER BY changed_at DESC LIMIT ?',
      LIMIT,
    );
  } finally {
    database.close();
  }
}
