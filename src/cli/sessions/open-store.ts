import { type SqliteStore, sqliteStore } from '../../sessions/index.ts';
import type { Terminal } from '../terminal/index.ts';
import { sessionsFolder } from './folder.ts';

/** Opens the store of sessions. Says on stderr if the file was damaged. */
export function openStore({ note }: Pick<Terminal, 'note'>): Promise<SqliteStore> {
  return sqliteStore({ folder: sessionsFolder(), onWarning: note });
}

/** Opens the store of sessions, runs `work`, and closes it. Rejects as either does. */
export async function withStore<T>(
  terminal: Pick<Terminal, 'note'>,
  work: (store: SqliteStore) => Promise<T>,
): Promise<T> {
  const store = await openStore(terminal);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
