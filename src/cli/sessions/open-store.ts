import { join, resolve } from 'node:path';
import { userFolder } from '../../files/index.ts';
import { type SqliteStore, sqliteStore } from '../../sessions/index.ts';

/** The folder of the sessions: that of the variable `TOOLFOLD_SESSIONS`, else one of the user's data. */
export function sessionsFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { TOOLFOLD_SESSIONS: folder = '' } = env;
  return folder.trim() === '' ? join(userFolder('data', { env }), 'sessions') : resolve(folder);
}

/** Opens the store of sessions, runs `work`, and closes it. Rejects as either does. */
export async function withStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = await sqliteStore({ folder: sessionsFolder() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
