import { join } from 'node:path';
import { userFolder } from '../../files/index.ts';
import type { SessionStore } from '../store/index.ts';
import { type JournalMode, SessionFile } from './file/index.ts';
import {
  acquireLease,
  appendEntries,
  createSession,
  findSession,
  findText,
  hasMessages,
  hasNewWords,
  holderIn,
  indexWords,
  listSessions,
  postMessage,
  readEntries,
  recordOf,
  releaseLease,
  removeSession,
  renameSession,
  renewLease,
  searchWords,
  sessionRow,
  takeMessages,
} from './tables/index.ts';

export interface SqliteStoreOptions {
  /** Where the file `sessions.db` is. Left out, the folder `sessions` of the user's data folder. */
  readonly folder?: string;
  /**
   * Called where the file was damaged: with the name of the kept damaged file, and what could be read of
   * it. Left out, it is a warning of the process.
   */
  readonly onWarning?: (message: string) => void;
}

/** A store in a file of SQLite. */
export interface SqliteStore extends SessionStore {
  /** `delete` where the file system has no shared memory for `wal`, such as on a network. It is slower. */
  readonly journalMode: JournalMode;
}

/**
 * Opens the store of sessions in a file, which several processes may use at the same time. A damaged file
 * is kept under another name, and what can be read of it is in the new file. Rejects with
 * `session-unavailable`, `session-newer`, `missing-dependency`, or with `session-damaged` while other
 * processes have the damaged file open.
 */
export async function sqliteStore(options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  const {
    folder = join(userFolder('data'), 'sessions'),
    onWarning = (message) => process.emitWarning(message, 'ToolfoldWarning'),
  } = options;
  return storeIn(new SessionFile(join(folder, 'sessions.db'), { onWarning }));
}

/** The functions of a store on a file. */
export function storeIn(file: SessionFile): SqliteStore {
  const index = () => {
    if (file.read(hasNewWords)) file.write(indexWords);
  };
  return {
    name: file.path,
    get journalMode() {
      return file.journalMode;
    },
    create: async (session) => file.write((database) => createSession(database, session)),
    get: async (id) => {
      const row = file.read((database) => findSession(database, id));
      return row && recordOf(row);
    },
    list: async (options = {}) => file.read((database) => listSessions(database, options)),
    rename: async (id, title) => file.write((database) => renameSession(database, id, title)),
    remove: async (id) => file.write((database) => removeSession(database, id)),

    append: async (entries, options) =>
      file.write((database) => appendEntries(database, entries, options)),
    read: async (id, { after = 0 } = {}) =>
      file.read((database) => readEntries(database, id, after)),
    text: async (address) => file.read((database) => findText(database, address)),
    search: async (query, { limit = 20 } = {}) => {
      index();
      return file.read((database) => searchWords(database, query, limit));
    },

    acquire: async (session, owner) =>
      file.write((database) => acquireLease(database, session, owner)),
    renew: async (lease) => file.write((database) => renewLease(database, lease)),
    release: async (lease) => {
      file.write((database) => releaseLease(database, lease));
      try {
        index();
      } catch {
        // The next search tries again. The lease is free.
      }
    },
    holder: async (session) => file.read((database) => holderIn(sessionRow(database, session))),
    post: async (session, message) =>
      file.write((database) => postMessage(database, session, message)),
    take: async (lease) => {
      // Holders ask often. Without messages, nothing is written.
      if (!file.read((database) => hasMessages(database, lease))) return [];
      return file.write((database) => takeMessages(database, lease));
    },
    close: async () => file.close(),
  };
}
