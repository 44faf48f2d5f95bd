import { type SqliteStore, sqliteStore } from '../../sessions/index.ts';
import type { Terminal, Unwritten } from '../terminal/index.ts';
import { sessionsFolder } from './folder.ts';

/**
 * Opens the store of sessions. Says on stderr if the file was damaged. What is being appended counts in
 * `unwritten`.
 */
export async function openStore(
  { note }: Pick<Terminal, 'note'>,
  unwritten?: Unwritten,
): Promise<SqliteStore> {
  const store = await sqliteStore({ folder: sessionsFolder(), onWarning: note });
  if (unwritten === undefined) return store;
  const append: SqliteStore['append'] = (...given) =>
    unwritten.during(() => store.append(...given));
  return { ...store, append };
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
