import { join } from 'node:path';
import { userFolder } from '../../files/index.ts';
import type { SessionStore } from '../store/index.ts';
import { appendEntries, readEntries } from './entries.ts';
import { hasMessages, postMessage, takeMessages } from './inbox.ts';
import { acquireLease, releaseLease, renewLease } from './leases.ts';
import { type JournalMode, openFile } from './open-file.ts';
import { searchWords } from './search.ts';
import { findSession, holderIn, recordOf, sessionRow } from './session-row.ts';
import { createSession, listSessions, removeSession, renameSession } from './sessions.ts';
import { findText } from './texts.ts';

export interface SqliteStoreOptions {
  /** Where the file `sessions.db` is. Left out, the folder `sessions` of the user's data folder. */
  readonly folder?: string;
}

/** A store in a file of SQLite. */
export interface SqliteStore extends SessionStore {
  /** `delete` where the file system refuses `wal`, such as on a network. Commits are slower then. */
  readonly journalMode: JournalMode;
}

/**
 * Opens the store of sessions in a file, which several processes may use at the same time. Rejects with
 * `session-unavailable`, `session-newer` or `missing-dependency`.
 */
export async function sqliteStore(options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  const { folder = join(userFolder('data'), 'sessions') } = options;
  const file = join(folder, 'sessions.db');
  const { database, journalMode } = openFile(file);
  const write = <T>(work: () => T): T => database.transaction(work);
  return {
    name: file,
    journalMode,
    create: async (session) => write(() => createSession(database, session)),
    get: async (id) => {
      const row = findSession(database, id);
      return row && recordOf(row);
    },
    list: async (options = {}) => listSessions(database, options),
    rename: async (id, title) => write(() => renameSession(database, id, title)),
    remove: async (id) => write(() => removeSession(database, id)),
    append: async (entries, options) => write(() => appendEntries(database, entries, options)),
    read: async (id, { after = 0 } = {}) => readEntries(database, id, after),
    text: async (address) => findText(database, address),
    search: async (query, { limit = 20 } = {}) => searchWords(database, query, limit),
    acquire: async (session, owner) => write(() => acquireLease(database, session, owner)),
    renew: async (lease) => write(() => renewLease(database, lease)),
    release: async (lease) => write(() => releaseLease(database, lease)),
    holder: async (session) => holderIn(sessionRow(database, session)),
    post: async (session, message) => write(() => postMessage(database, session, message)),
    take: async (lease) =>
      hasMessages(database, lease) ? write(() => takeMessages(database, lease)) : [],
    close: async () => database.close(),
  };
}
