import { chmodSync, existsSync, mkdirSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { SessionRecord } from '../sessions/index.ts';
import { Database } from './database.ts';
import { foreignJournal, leftBesideLink } from './journal-file.ts';
import { isOpenHere, realOf } from './live-files.ts';
import { foreignLog, headerOf, isSqliteFile, lostInLog } from './log-file.ts';
import { KNOWN_VERSION, migrate, versionOf } from './migrations.ts';
import { type ReadableCopy, readableCopy } from './readable-copy.ts';
import { listSessions } from './sessions.ts';
import { damaged, fileError, foreignLogError, isFileDamage, leftError } from './sqlite-error.ts';

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
function prepareFile(file: string): void {
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
 * Throws `session-newer` for a file of a newer version, and `session-damaged` for a file without the changes that the
 * log beside it needs. It works without SQLite: that would write the log into any file, or remove it beside an empty one.
 */
export function refuseUnopened(file: string): void {
  if (orUnavailable(file, () => isOpenHere(file))) return;
  const header = orUnavailable(file, () => headerOf(file));
  const version = header.readInt32BE(60);
  if (isSqliteFile(header) && isPlausible(version)) checkVersion(version, file);
  const left = orUnavailable(file, () => leftBesideLink(file));
  if (left !== undefined) throw leftError(file, left);
  const real = realOf(file);
  const foreign = orUnavailable(file, () => foreignLog(real));
  if (foreign) throw foreignLogError(file, foreign);
  const journal = orUnavailable(file, () => foreignJournal(real));
  if (journal !== undefined) throw leftError(real, journal);
}

/** A file of sessions that is open. */
interface OpenedFile {
  /** Of a damaged file a copy of what can be read, and the file itself is closed. */
  readonly database: Database;
  /** The file is damaged. The text says what is lost, and how the user recovers it. */
  readonly damage?: ToolfoldError;
}

/**
 * Opens the file of sessions, or creates it, in the present version. Of a damaged file it opens what can be read, and
 * changes nothing. Throws `session-unavailable`, `session-newer`, or `session-damaged` if nothing can be read.
 */
export function openFile(file: string): OpenedFile {
  refuseUnopened(file);
  prepareFile(file);
  const damage = damageOf(file);
  if (damage) return openDamaged(file, damage);
  const database = new Database(file);
  try {
    // A longer wait would stop the event loop. The store tries again by itself.
    database.pragma('busy_timeout = 20');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    // Removed sessions give their space back. It is set where the file is new.
    if (versionOf(database) === 0) database.pragma('auto_vacuum = INCREMENTAL');
    setJournalMode(database);
    database.openLog();
    migrate(database);
    return { database };
  } catch (error) {
    if (!isFileDamage(error)) {
      database.close();
      throw error;
    }
    database.closeUnwritten();
    return openDamaged(file, error);
  }
}

/**
 * The error of damage of a file; undefined if it is whole. It is decided here, by SQLite's own check, and changes
 * nothing. Throws `session-unavailable` or `session-newer`.
 */
export function damageOf(file: string): ToolfoldError | undefined {
  try {
    const lost = orUnavailable(file, () => lostInLog(`${realOf(file)}-wal`));
    if (lost !== undefined) throw damaged(file, lost);
    const database = openToRead(file);
    try {
      database.pragma('busy_timeout = 20');
      checkVersion(versionOf(database), file);
      checkPages(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (isFileDamage(error)) return error;
    throw error;
  }
}

/** Opens what can be read of a damaged file. Throws `damage` with more words if that is nothing. */
export function openDamaged(file: string, damage: ToolfoldError): OpenedFile {
  const source = openToRead(file, { isDamaged: true });
  let copy: ReadableCopy;
  try {
    copy = readableCopy(source);
  } finally {
    source.close();
  }
  const { database, report } = copy;
  const what = damage.message.slice(0, -damage.hint.length).trimEnd();
  const error = new ToolfoldError('session-damaged', `${what} ${report}`, damage.hint, damage);
  if (database) return { database, damage: error };
  throw error;
}

/** Opens a file of which nothing is written. Where a log is beside it, `close` of any other connection could write that. */
export function openToRead(file: string, options: { readonly isDamaged?: boolean } = {}): Database {
  const log = statSync(`${realOf(file)}-wal`, { throwIfNoEntry: false });
  return new Database(file, { ...options, readOnly: (log?.size ?? 0) > 0 });
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
  refuseUnopened(file);
  const database = openToRead(file);
  try {
    checkVersion(versionOf(database), file);
    return listSessions(database, { limit: MOST_KNOWN });
  } finally {
    database.close();
  }
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
  // A new file has no tables yet.
  const isWhole = statSync(database.file).size <= CHECKED || versionOf(database) === 0;
  for (const check of isWhole ? ['1'] : SMALL_TABLES) {
    const found = database.pragma(`integrity_check(${check})`);
    if (found !== 'ok') throw damaged(database.file, String(found));
  }
}
