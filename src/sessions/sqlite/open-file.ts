import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolfoldError } from '../../errors.ts';
import type { SessionRecord } from '../store/index.ts';
import {
  Database,
  damaged,
  fileError,
  KNOWN_VERSION,
  listSessions,
  migrate,
  versionOf,
} from './tables/index.ts';

/** How SQLite keeps a change until it is in the file. */
export type JournalMode = 'wal' | 'delete';

/** Files up to this number of bytes are checked whole when they are opened. It takes some 0.1 s at most. */
const CHECKED = 2 ** 25;

/** The tables that are checked in larger files: they have no checksums, which reading checks. */
const SMALL_TABLES = ['session', 'segment', 'inbox', 'text_use'];

/** The types of file systems on a network, by the numbers of Linux: NFS, SMB, CIFS, AFS, Ceph, 9P. */
const NETWORKS: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x00c36400, 0x01021997,
]);

/**
 * Makes a folder and a file in it, both for the user alone. SQLite gives its other files the same rights. A file that
 * is there is not opened: closing it again would end the locks that this process has on it.
 */
export function prepareFile(file: string): void {
  orUnavailable(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 });
    chmodSync(file, 0o600);
  });
}

/** Runs `work` with files. Throws `session-unavailable` with the place instead of its errors. */
export function orUnavailable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(error, file);
  }
}

/**
 * Opens the file of sessions, or creates it, in the present version. Throws `session-unavailable`,
 * `session-newer`, or `session-damaged`.
 */
export function openFile(file: string): Database {
  prepareFile(file);
  const database = new Database(file);
  try {
    // A longer wait would stop the event loop. The store tries again by itself.
    database.pragma('busy_timeout = 20');
    checkVersion(versionOf(database), file);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    // Removed sessions give their space back. It is set where the file is new.
    if (versionOf(database) === 0) database.pragma('auto_vacuum = INCREMENTAL');
    setJournalMode(database);
    database.openLog();
    migrate(database);
    checkPages(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A new database without a file. */
export function databaseInMemory(): Database {
  const database = new Database(':memory:');
  database.pragma('foreign_keys = ON');
  migrate(database);
  return database;
}

/** Most sessions that are suggested. */
const MOST_KNOWN = 200;

/**
 * The sessions in a folder that changed last, for suggestions. Unlike a store it creates nothing and
 * repairs nothing. Throws if the file cannot be read, or if a newer version wrote it.
 */
export function knownSessions(folder: string): readonly SessionRecord[] {
  const file = join(folder, 'sessions.db');
  if (!existsSync(file)) return [];
  refuseNewer(file);
  const database = new Database(file);
  try {
    checkVersion(versionOf(database), file);
    return listSessions(database, { limit: MOST_KNOWN });
  } finally {
    database.close();
  }
}

/** Throws `session-newer` by the first bytes of a file, without SQLite, which could change the file by opening it. */
export function refuseNewer(file: string): void {
  const start = Buffer.alloc(64);
  orUnavailable(file, () => {
    const handle = openSync(file, 'r');
    try {
      readSync(handle, start);
    } finally {
      closeSync(handle);
    }
  });
  const isSqlite = start.toString('latin1', 0, 15) === 'SQLite format 3';
  const version = start.readInt32BE(60);
  if (isSqlite && isPlausible(version)) checkVersion(version, file);
}

/** Whether a version can be that of a newer Toolfold. Others come from damage. */
function isPlausible(version: number): boolean {
  return version >= 0 && version <= KNOWN_VERSION + 1_000;
}

/** Throws `session-newer` for a version of the tables in a file that is not known, `session-damaged` for none. */
export function checkVersion(version: number, file: string): void {
  if (!isPlausible(version)) throw damaged(file, `${version} is no version`);
  if (version <= KNOWN_VERSION) return;
  throw new ToolfoldError(
    'session-newer',
    `A newer version of Toolfold wrote it: the file of sessions ${file} has version ${version}, and this one knows versions up to ${KNOWN_VERSION}.`,
    'Update Toolfold. The file was not changed.',
  );
}

function setJournalMode(database: Database): void {
  // Processes of several machines can not share memory.
  const isRemote =
    process.platform === 'linux' && isNetwork(statfsSync(dirname(database.file)).type);
  // A file system without shared memory refuses WAL: the mode stays what it was.
  const mode = database.pragma(`journal_mode = ${isRemote ? 'DELETE' : 'WAL'}`);
  if (mode === 'wal') database.pragma('journal_size_limit = 16777216');
}

/** Whether a type of file systems is one on a network. */
export function isNetwork(type: number): boolean {
  return NETWORKS.has(type >>> 0);
}

function checkPages(database: Database): void {
  const isSmall = statSync(database.file).size <= CHECKED;
  for (const check of isSmall ? ['1'] : SMALL_TABLES) {
    const found = database.pragma(`integrity_check(${check})`);
    if (found !== 'ok') throw damaged(database.file, String(found));
  }
}
