import {
  checkOptions,
  joined,
  type OptionChecks,
  retrying,
  type SessionStore,
} from '@toolfold/agent/internal/sessions';
import { pick } from '@toolfold/core/internal/values';
import { Database } from './database.ts';
import { appendEntries, findText, lastRuns, readEntries, searchWords } from './entries.ts';
import {
  acquireLease,
  findInboxes,
  postMessage,
  releaseLease,
  renewLeases,
  showDraft,
  watchSession,
} from './leases.ts';
import {
  creation,
  findHolders,
  findRecords,
  listSessions,
  removeSession,
  renameSession,
} from './sessions.ts';
import { migrate } from './tables.ts';

export interface PostgresStoreOptions {
  /** The address of the database, `postgres://…`, or options of a `Pool` of `pg`. */
  readonly connection: string | object;
  /** The schema of the tables. It is created if it is not there. `toolfold` if left out. */
  readonly schema?: string;
  /**
   * Milliseconds for which a database that is away is tried again, 120,000 if left out. The event loop is free
   * meanwhile.
   */
  readonly retryTimeout?: number;
}

/** A store in a database of PostgreSQL. `await using` closes it. */
export interface PostgresStore extends SessionStore, AsyncDisposable {}

const POSTGRES_STORE_OPTIONS: OptionChecks<PostgresStoreOptions> = {
  connection: [
    (value) =>
      (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null),
    'the address of a database, or options of a Pool of pg',
  ],
  schema: [
    (value) => typeof value === 'string' && /^[^\0]{1,63}$/.test(value),
    'a name of 1 to 63 characters',
  ],
  retryTimeout: [(value) => typeof value === 'number' && value >= 0, 'a number of milliseconds'],
};

/**
 * Opens the store of sessions in a database of PostgreSQL, which any number of machines may use at the same time. Creates
 * its tables. Rejects with `session-unavailable`.
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  checkOptions('postgresStore()', options, POSTGRES_STORE_OPTIONS);
  const { connection, schema = 'toolfold', retryTimeout } = options;
  const database = new Database(
    typeof connection === 'string' ? { connectionString: connection } : connection,
    schema,
  );
  const trying = <T>(attempt: () => Promise<T>): Promise<T> =>
    attempt().catch((error) => retrying(error, attempt, retryTimeout));
  const doing =
    <ARGS extends readonly unknown[], T>(work: (database: Database, ...args: ARGS) => Promise<T>) =>
    (...args: ARGS): Promise<T> =>
      trying(() => work(database, ...args));
  try {
    await trying(() => migrate(database));
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    name: database.name,
    ...pick(options, 'retryTimeout'),
    create: async (session) => trying(creation(database, session)),
    get: joined(doing(findRecords)),
    list: doing(listSessions),
    rename: doing(renameSession),
    remove: doing(removeSession),

    // Not tried again here: the session looks first whether a failed attempt has done it.
    append: (entries, given) => appendEntries(database, entries, given),
    read: doing(readEntries),
    text: doing(findText),
    search: doing(searchWords),
    lastRuns: doing(lastRuns),

    acquire: doing(acquireLease),
    renew: joined(doing(renewLeases)),
    release: doing(releaseLease),
    holder: joined(doing(findHolders)),
    post: doing(postMessage),
    look: joined(doing(findInboxes)),
    show: doing(showDraft),
    watch: doing(watchSession),

    close: () => database.close(),
    [Symbol.asyncDispose]: () => database.close(),
  };
}
