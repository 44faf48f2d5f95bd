import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolfoldError } from '../../errors.ts';
import type { SessionRecord } from '../store/index.ts';
import { isOnNetwork, prepareFile, startOf } from './place.ts';
import { Database, damaged, listSessions, MIGRATIONS, migrate, versionOf } from './tables/index.ts';

/** How SQLite keeps a change until it is in the file. */
export type JournalMode = 'wal' | 'delete';

/** Files up to this number of bytes are checked whole when they are opened. It takes some 0.1 s at most. */
const CHECKED = 2 ** 25;

/** The tables that are checked in larger files: they have no checksums, which reading checks. */
const SMALL_TABLES = ['session', 'segment', 'inbox', 'text_use'];

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
  checkVersion(versionIn(startOf(file, 'r')), file);
  const database = new Database(file);
  try {
    return listSessions(database, { limit: MOST_KNOWN });
  } finally {
    database.close();
  }
}

/** Throws `session-newer` without SQLite, which could change the file by opening it. */
export function refuseNewer(file: string): void {
  checkVersion(versionIn(prepareFile(file)), file);
}

/** The version of the tables in a file by its first bytes; 0 if it is none of SQLite. */
export function versionIn(start: Buffer): number {
  const isSqlite = start.length === 64 && start.toString('latin1', 0, 15) === 'SQLite format 3';
  return isSqlite ? start.readUInt32BE(60) : 0;
}

function setJournalMode(database: Database): void {
  const wanted = isOnNetwork(database.file) ? 'DELETE' : 'WAL';
  // A file system without shared memory refuses WAL: the mode stays what it was.
  const mode = database.pragma(`journal_mode = ${wanted}`);
  if (mode === 'wal') database.pragma('journal_size_limit = 16777216');
}

function checkVersion(version: number, file: string): void {
  if (version <= MIGRATIONS.length) return;
  throw new ToolfoldError(
    'session-newer',
    `The file of sessions ${file} has version ${version}. This Toolfold knows versions up to ${MIGRATIONS.length}.`,
    'Update Toolfold. The file was not changed.',
  );
}

function checkPages(database: Database): void {
  const isSmall = statSync(database.file).size <= CHECKED;
  for (const check of isSmall ? ['1'] : SMALL_TABLES) {
    const found = database.pragma(`integrity_check(${check})`);
    if (found !== 'ok') throw damaged(database.file, String(found));
  }
}
