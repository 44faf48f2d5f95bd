import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { userFolder } from '../../files/index.ts';
import {
  type Lease,
  type Owner,
  RENEWAL,
  RETRY_TIMEOUT,
  retrying,
  type SessionStore,
} from '../store/index.ts';
import type { Database } from './database/index.ts';
import { type JournalMode, SessionFile } from './file/index.ts';
import {
  acquireLease,
  appendEntries,
  createSession,
  doubtfulLease,
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
  /**
   * Milliseconds for which a locked file or a full disk is tried again, 120,000 if left out. The event loop
   * is free meanwhile.
   */
  readonly retryTimeout?: number;
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
    retryTimeout = RETRY_TIMEOUT,
  } = options;
  const open = () => new SessionFile(join(folder, 'sessions.db'), { onWarning });
  return storeIn(await retrying(open, retryTimeout), { retryTimeout });
}

/** Milliseconds in which the owner of a lease must renew it if its time is over and its process is there. */
const GRACE = RENEWAL + 1_000;

interface StoreOptions {
  readonly retryTimeout?: number;
  readonly grace?: number;
}

/** The functions of a store on a file. */
export function storeIn(
  file: SessionFile,
  { retryTimeout = RETRY_TIMEOUT, grace = GRACE }: StoreOptions = {},
): SqliteStore {
  const reading = <T>(work: (database: Database) => T) =>
    retrying(() => file.read(work), retryTimeout);
  const writing = <T>(work: (database: Database) => T) =>
    retrying(() => file.write(work), retryTimeout);
  const index = async () => {
    if (await reading(hasNewWords)) await writing(indexWords);
  };
  const acquire = async (session: string, owner: Owner): Promise<Lease> => {
    const doubtful = await reading((database) => doubtfulLease(database, session));
    if (doubtful !== undefined) await setTimeout(grace);
    return writing((database) => acquireLease(database, session, owner, doubtful));
  };
  return {
    name: file.path,
    retryTimeout,
    get journalMode() {
      return file.journalMode;
    },
    create: (session) => writing((database) => createSession(database, session)),
    get: async (id) => {
      const row = await reading((database) => findSession(database, id));
      return row && recordOf(row);
    },
    list: (options = {}) => reading((database) => listSessions(database, options)),
    rename: (id, title) => writing((database) => renameSession(database, id, title)),
    remove: (id) => writing((database) => removeSession(database, id)),

    append: (entries, options) => writing((database) => appendEntries(database, entries, options)),
    read: (id, { after = 0 } = {}) => reading((database) => readEntries(database, id, after)),
    text: (address) => reading((database) => findText(database, address)),
    search: async (query, { limit = 20 } = {}) => {
      await index();
      return reading((database) => searchWords(database, query, limit));
    },

    acquire,
    renew: (lease) => writing((database) => renewLease(database, lease)),
    release: async (lease) => {
      await writing((database) => releaseLease(database, lease));
      try {
        if (file.read(hasNewWords)) file.write(indexWords);
      } catch {
        // The next search tries again. The lease is free.
      }
    },
    holder: (session) => reading((database) => holderIn(sessionRow(database, session))),
    post: (session, message) => writing((database) => postMessage(database, session, message)),
    take: async (lease) => {
      // Holders ask often. Without messages, nothing is written.
      if (!(await reading((database) => hasMessages(database, lease)))) return [];
      return writing((database) => takeMessages(database, lease));
    },
    close: async () => file.close(),
  };
}
