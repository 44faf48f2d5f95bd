import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { userFolder } from '@toolfold/config/internal/files';
import { invalidOption } from '@toolfold/core/internal/errors.ts';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/tools/names';
import { pick } from '@toolfold/core/internal/tools/values';
import { RENEWAL, retrying, type SessionStore } from '../store/index.ts';
import { databaseInMemory, type JournalMode } from './open-file.ts';
import { SessionFile } from './session-file.ts';
import * as tables from './tables/index.ts';

export interface SqliteStoreOptions {
  /** Where the file `sessions.db` is. Left out, the folder `sessions` of the user's data folder. */
  readonly folder?: string;
  /**
   * Called where the file is damaged: with what can be read, and how the user recovers the file. Left out, it is a
   * warning of the process.
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

const SQLITE_STORE_OPTIONS: KnownOptions<SqliteStoreOptions> = {
  folder: true,
  onWarning: true,
  retryTimeout: true,
};

/**
 * Opens the store of sessions in a file, which several processes may use at the same time. Of a damaged file it opens
 * what can be read, and each function that writes rejects with `session-damaged`. Rejects with `session-unavailable`,
 * `session-newer`, `missing-dependency`, or with `session-damaged` if nothing can be read.
 */
export async function sqliteStore(options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  checkKnown('sqliteStore()', options, SQLITE_STORE_OPTIONS);
  const {
    folder = join(userFolder('data'), 'sessions'),
    onWarning = (message) => process.emitWarning(message, 'ToolfoldWarning'),
  } = options;
  if (folder === '') throw invalidOption('folder', 'a path that is not empty');
  const open = async () => new SessionFile(resolve(folder, 'sessions.db'), { onWarning });
  const file = await open().catch((error) => retrying(error, open, options.retryTimeout));
  return storeIn(file, pick(options, 'retryTimeout'));
}

/**
 * A store in memory. Its sessions are gone with the process. Throws `missing-dependency` if Node.js was built
 * without SQLite.
 */
export function memoryStore(): SessionStore {
  // The owners of its leases are all in this process, which cannot have been stopped without them.
  return { name: 'memory', ...functionsOn(databaseInMemory(), { grace: 0 }) };
}

/** A store on a file. */
export function storeIn(file: SessionFile, options: StoreOptions = {}): SqliteStore {
  const { path: name, journalMode } = file;
  return { name, journalMode, ...pick(options, 'retryTimeout'), ...functionsOn(file, options) };
}

/** Milliseconds in which the owner of a lease must renew it if its time is over and its process is there. */
const GRACE = RENEWAL + 1_000;

interface StoreOptions extends Pick<SqliteStoreOptions, 'retryTimeout'> {
  readonly grace?: number;
}

/** The functions of a store on a database. */
function functionsOn(
  file: Pick<SessionFile, 'read' | 'write' | 'close'> & Partial<Pick<SessionFile, 'isDamaged'>>,
  { retryTimeout, grace = GRACE }: StoreOptions,
): Omit<SessionStore, 'name'> {
  const trying =
    (kind: 'read' | 'write') =>
    <ARGS extends readonly unknown[], T>(work: tables.Work<ARGS, T>) =>
    async (...args: ARGS): Promise<T> => {
      const attempt = (): T => file[kind](work, ...args);
      try {
        return attempt();
      } catch (error) {
        return retrying(error, attempt, retryTimeout);
      }
    };
  const reading = trying('read');
  const writing = trying('write');
  return {
    create: writing(tables.createSession),
    get: reading(tables.findRecord),
    list: reading(tables.listSessions),
    rename: writing(tables.renameSession),
    remove: writing(tables.removeSession),

    append: writing(tables.appendEntries),
    read: reading(tables.readEntries),
    text: reading(tables.findText),
    search: async (query, options) => {
      if (await reading(tables.hasNewWords)()) await writing(tables.indexWords)();
      return reading(tables.searchWords)(query, options);
    },

    acquire: async (session, owner) => {
      const acquiring = writing(tables.acquireLease);
      let taken = await acquiring(session, owner);
      while (typeof taken === 'string') {
        await setTimeout(grace);
        taken = await acquiring(session, owner, taken);
      }
      return taken;
    },
    renew: writing(tables.renewLease),
    release: async (lease) => {
      await writing(tables.releaseLease)(lease);
      try {
        if (file.read(tables.hasNewWords)) file.write(tables.indexWords);
      } catch {
        // The next search tries again. The lease is free.
      }
    },
    holder: reading(tables.findHolder),
    post: writing(tables.postMessage),
    look: reading(tables.findInbox),
    show: writing(tables.showDraft),
    watch: async (session) => {
      const { draft, mustNote } = await reading(tables.findDraft)(session);
      // Others watch often. The holder is told now and then.
      if (mustNote && !file.isDamaged) await writing(tables.noteWatch)(session);
      return draft;
    },
    close: async () => file.close(),
  };
}
