import { chmodSync, closeSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { Database } from './database.ts';
import { MIGRATIONS, migrate, versionOf } from './migrations.ts';
import { unavailable } from './sqlite-error.ts';

/** How SQLite keeps a change until it is in the file. */
export type JournalMode = 'wal' | 'delete';

export interface OpenedFile {
  readonly database: Database;
  readonly journalMode: JournalMode;
}

export interface OpenOptions {
  /** The name of one of SQLite's file systems. */
  readonly vfs?: string;
}

/**
 * Opens the file of sessions, or creates it, in the present version. Throws `session-unavailable`,
 * `session-newer`, or `session-damaged`.
 */
export function openFile(file: string, { vfs }: OpenOptions = {}): OpenedFile {
  prepare(file);
  const database = new Database(file, vfs);
  try {
    database.pragma('busy_timeout = 5000');
    checkVersion(versionOf(database), file);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    const journalMode = database.pragma('journal_mode = WAL') === 'wal' ? 'wal' : 'delete';
    migrate(database);
    return { database, journalMode };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Makes the folder and the file, both for the user alone. SQLite gives its other files the same mode. */
function prepare(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const handle = openSync(file, 'a+', 0o600);
    try {
      // A newer file is not even opened by SQLite, which could change it.
      const header = Buffer.alloc(64);
      const length = readSync(handle, header, 0, header.length, 0);
      if (length === header.length && header.toString('latin1', 0, 15) === 'SQLite format 3') {
        checkVersion(header.readUInt32BE(60), file);
      }
    } finally {
      closeSync(handle);
    }
    chmodSync(file, 0o600);
  } catch (error) {
    if (error instanceof ToolfoldError) throw error;
    throw unavailable(file, errorMessage(error), 'Check the folder and its permissions.', error);
  }
}

function checkVersion(version: number, file: string): void {
  if (version <= MIGRATIONS.length) return;
  throw new ToolfoldError(
    'session-newer',
    `The file of sessions ${file} has version ${version}. This Toolfold knows versions up to ${MIGRATIONS.length}.`,
    'Update Toolfold. The file was not changed.',
  );
}
