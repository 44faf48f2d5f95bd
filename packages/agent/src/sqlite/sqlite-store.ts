import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { userFolder } from '@toolfold/config/internal/files';
import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { pick } from '@toolfold/core/internal/values';
import {
  A_FUNCTION,
  checkOptions,
  joined,
  type OptionChecks,
  RENEWAL,
  retrying,
  type SessionStore,
} from '../sessions/index.ts';
import type { Database, Transaction } from './database.ts';
import {
  appendEntries,
  findText,
  hasNewWords,
  indexWords,
  lastRuns,
  readEntries,
  searchWords,
} from './entries.ts';
import {
  acquireLease,
  findDraft,
  findInboxes,
  noteWatch,
  postMessage,
  releaseLease,
  renewLeases,
  showDraft,
} from './leases.ts';
import { databaseInMemory, type JournalMode, openDamaged, openFile } from './open-file.ts';
import {
  createSession,
  findHolders,
  findRecords,
  listSessions,
  removeSession,
  renameSession,
} from './sessions.ts';
import { isFileDamage } from './sqlite-error.ts';

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

/** A store in a file of SQLite. `await using` closes it. */
export interface SqliteStore extends SessionStore, AsyncDisposable {
  /** `delete` where the file system has no shared memory for `wal`, such as on a network. It is slower. */
  readonly journalMode: JournalMode;
}

const SQLITE_STORE_OPTIONS: OptionChecks<SqliteStoreOptions> = {
  folder: [(value) => typeof value === 'string' && value !== '', 'a path that is not empty'],
  onWarning: A_FUNCTION,
  retryTimeout: [(value) => typeof value === 'number' && value >= 0, 'a number of milliseconds'],
};

/**
 * Opens the store of sessions in a file, which several processes may use at the same time. Of a damaged file it opens
 * what can be read, and each function that writes rejects with `session-damaged`. Rejects with `session-unavailable`,
 * `session-newer`, `missing-dependency`, or with `session-damaged` if nothing can be read.
 */
export async function sqliteStore(options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  checkOptions('sqliteStore()', options, SQLITE_STORE_OPTIONS);
  const {
    folder = join(userFolder('data'), 'sessions'),
    onWarning = (message) => process.emitWarning(message, 'ToolfoldWarning'),
  } = options;
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
export function storeIn(file: SessionFile, options: GraceOptions = {}): SqliteStore {
  const { path: name, journalMode } = file;
  return {
    ...{ name, journalMode, ...pick(options, 'retryTimeout'), ...functionsOn(file, options) },
    [Symbol.asyncDispose]: async () => file.close(),
  };
}

/** Milliseconds in which the owner of a lease must renew it if its time is over and its process is there. */
const GRACE = RENEWAL + 1_000;

interface GraceOptions extends Pick<SqliteStoreOptions, 'retryTimeout'> {
  readonly grace?: number;
}

/** The functions of a store on a database. */
function functionsOn(
  file: Pick<SessionFile, 'read' | 'write' | 'close'> & Partial<Pick<SessionFile, 'isDamaged'>>,
  { retryTimeout, grace = GRACE }: GraceOptions,
): Omit<SessionStore, 'name'> {
  const trying =
    (kind: 'read' | 'write') =>
    <ARGS extends readonly unknown[], T>(work: Transaction<ARGS, T>) =>
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
    create: writing(createSession),
    get: joined(reading(findRecords)),
    list: reading(listSessions),
    rename: writing(renameSession),
    remove: writing(removeSession),

    append: writing(appendEntries),
    read: reading(readEntries),
    text: reading(findText),
    lastRuns: reading(lastRuns),
    search: async (query, options) => {
      if (await reading(hasNewWords)()) await writing(indexWords)();
      return reading(searchWords)(query, options);
    },

    acquire: async (session, owner) => {
      const acquiring = writing(acquireLease);
      let taken = await acquiring(session, owner);
      while (typeof taken === 'string') {
        await setTimeout(grace);
        taken = await acquiring(session, owner, taken);
      }
      return taken;
    },
    renew: joined(writing(renewLeases)),
    release: async (lease) => {
      await writing(releaseLease)(lease);
      try {
        if (file.read(hasNewWords)) file.write(indexWords);
      } catch {
        // The next search tries again. The lease is free.
      }
    },
    holder: joined(reading(findHolders)),
    post: writing(postMessage),
    look: joined(reading(findInboxes)),
    show: writing(showDraft),
    watch: async (session) => {
      const { draft, mustNote } = await reading(findDraft)(session);
      // Others watch often. The holder is told now and then.
      if (mustNote && !file.isDamaged) await writing(noteWatch)(session);
      return draft;
    },
    close: async () => file.close(),
  };
}

/** The file of sessions while it is open. A file in which damage is found is not written from then on. */
export class SessionFile {
  readonly path: string;
  readonly journalMode: JournalMode;
  /** Called with what the user must know: that the file is damaged, and how to recover it. */
  readonly #onWarning: (message: string) => void;
  /** Undefined if nothing of a damaged file can be read. */
  #database: Database | undefined;
  #damage: ToolfoldError | undefined;

  constructor(path: string, { onWarning }: { readonly onWarning: (message: string) => void }) {
    this.path = path;
    this.#onWarning = onWarning;
    const { database, damage } = openFile(path);
    this.#database = database;
    this.#damage = damage;
    if (damage) onWarning(damage.message);
    this.journalMode = database.pragma('journal_mode') === 'wal' ? 'wal' : 'delete';
  }

  /** Whether the file is damaged, so that nothing can be written. */
  get isDamaged(): boolean {
    return this.#damage !== undefined;
  }

  /** Runs `work`, which sees the file as it is at this moment, or what could be read when damage was found. */
  read<ARGS extends readonly unknown[], T>(work: Transaction<ARGS, T>, ...args: ARGS): T {
    try {
      return this.#readable().read(work, ...args);
    } catch (error) {
      if (this.#damage || !isFileDamage(error)) throw error;
      this.#stopWriting(error);
      return this.#readable().read(work, ...args);
    }
  }

  /** Runs `work` in one transaction, which is durable when this returns. Throws `session-damaged` for a damaged file. */
  write<ARGS extends readonly unknown[], T>(work: Transaction<ARGS, T>, ...args: ARGS): T {
    const damage = this.#damage;
    if (damage) throw damage;
    try {
      return this.#readable().write(work, ...args);
    } catch (error) {
      if (isFileDamage(error)) this.#stopWriting(error);
      throw this.#damage ?? error;
    }
  }

  close(): void {
    this.#database?.close();
  }

  #readable(): Database {
    if (this.#database) return this.#database;
    throw this.#damage;
  }

  /** Goes on with what can be read. */
  #stopWriting(damage: ToolfoldError): void {
    const writer = this.#database;
    this.#database = undefined;
    this.#damage = damage;
    try {
      const opened = openDamaged(this.path, damage);
      this.#database = opened.database;
      this.#damage = opened.damage;
    } finally {
      writer?.closeUnwritten();
      this.#onWarning(this.#damage?.message ?? damage.message);
    }
  }
}
