import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/values';
import { notRetryable } from '../sessions/index.ts';
import type { ForeignLog } from './log-file.ts';

/** Why a place can not be read or written. */
interface Reason {
  readonly hint: string;
  /** Whether it may end by itself, so that it helps to try again. */
  readonly isMomentary?: boolean;
}

const LOCKED: Reason = { hint: 'Another process locks it. Try again.', isMomentary: true };
const FULL: Reason = { hint: 'The disk is full. Make space and try again.', isMomentary: true };
const NOT_WRITTEN: Reason = {
  hint: 'A quota is used up, or the disk has failed. Make space and try again.',
  isMomentary: true,
};
const TOO_MANY: Reason = { hint: 'Close files, or allow more of them.', isMomentary: true };
const REFUSED: Reason = { hint: 'Check the folder and its permissions.' };

/** The reasons by the result codes of SQLite, and by those of errors with files. */
const REASONS: Readonly<Record<number | string, Reason>> = {
  ...{ 3: REFUSED, 8: REFUSED, 14: REFUSED, 23: REFUSED, 5: LOCKED, 6: LOCKED, 15: LOCKED },
  // 4874: there is no space for the memory that processes share. 778: SQLite says so of a used-up quota too.
  ...{
    ENOSPC: FULL,
    EDQUOT: FULL,
    13: FULL,
    4874: FULL,
    778: NOT_WRITTEN,
    EMFILE: TOO_MANY,
    ENFILE: TOO_MANY,
  },
  7: { hint: 'There is no memory left.' },
  10: { hint: 'Check the disk.' },
};

/** A text or a body that is larger than SQLite can keep. */
const TOO_BIG = 18;

/**
 * The result codes of a file that does not hold what was written: CORRUPT and NOTADB, a page whose end is
 * missing, and, as all statements are known to work, ERROR for a table that is not as it was created,
 * CONSTRAINT and MISMATCH.
 */
const DAMAGED: ReadonlySet<number> = new Set([1, 11, 19, 20, 26]);
const SHORT_READ = 522;

/** The error of a store for what SQLite has thrown. Other errors are returned as they are. */
export function sqliteError(error: unknown, file: string): unknown {
  if (ownProperty(error, 'code') === 'ERR_INVALID_STATE')
    return unavailable(file, 'the store is closed', { hint: 'Open it again.' }, error);
  const code = ownProperty(error, 'errcode');
  // A number that is larger than any that was written.
  if (ownProperty(error, 'code') === 'ERR_OUT_OF_RANGE')
    return damaged(file, errorMessage(error), error);
  if (typeof code !== 'number') return error;
  // The upper bits say more about the same cause.
  const primary = code & 0xff;
  if (DAMAGED.has(primary) || code === SHORT_READ) return damaged(file, errorMessage(error), error);
  if (primary === TOO_BIG) return refused(errorMessage(error), error);
  const reason = REASONS[code] ?? REASONS[primary];
  return reason ? unavailable(file, errorMessage(error), reason, error) : error;
}

/** The error of a store for what working with files has thrown. */
export function fileError(error: unknown, file: string): ToolfoldError {
  if (error instanceof ToolfoldError) return error;
  const reason = REASONS[String(ownProperty(error, 'code'))] ?? REFUSED;
  return unavailable(file, errorMessage(error), reason, error);
}

/** The place of the sessions can not be read or written. */
export function unavailable(
  place: string,
  what: string,
  { hint, isMomentary = false }: Reason,
  cause?: unknown,
): ToolfoldError {
  const message = `The sessions in ${place} are not available: ${what}.`;
  const error = new ToolfoldError('session-unavailable', message, hint, cause);
  return isMomentary ? error : notRetryable(error);
}

/** A value that the store can never keep, so that it does not help to try again. */
function refused(what: string, cause: unknown): ToolfoldError {
  const hint = 'Give a shorter value. Nothing was written.';
  return new ToolfoldError('invalid-option', `The store refuses a value: ${what}.`, hint, cause);
}

/** The errors that say that the file itself is damaged, and not one entry, text or message in it. */
const FILE_DAMAGE = new WeakSet<ToolfoldError>();

export function isFileDamage(error: unknown): error is ToolfoldError {
  return error instanceof ToolfoldError && FILE_DAMAGE.has(error);
}

/** The file of the sessions is damaged. From now on it is only read. */
export function damaged(file: string, what: string, cause?: unknown): ToolfoldError {
  const text = `The file of sessions ${file} is damaged: ${oneLine(what)}.`;
  const error = new ToolfoldError('session-damaged', text, recoveryOf(file), cause);
  FILE_DAMAGE.add(error);
  return error;
}

/** What SQLite says, which may have several lines. */
function oneLine(what: string): string {
  return what
    .replace('*** in database main ***', '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
}

/** How the user recovers a damaged file. */
export function recoveryOf(file: string): string {
  const folder = dirname(file);
  const recovered = join(folder, 'recovered.db');
  return (
    'Nothing is written to it. To recover it, end all processes that use it, and copy the folder ' +
    `${folder}. Then run: sqlite3 "${file}" ".recover" | sqlite3 "${recovered}". Use the sqlite3 of sqlite.org: ` +
    'that of some systems cannot recover. If there are no errors, remove sessions.db, sessions.db-wal and ' +
    'sessions.db-shm, and rename recovered.db to sessions.db.'
  );
}

/** The log beside the file of sessions does not belong to it. Neither is opened, so that both stay. */
export function foreignLogError(file: string, { isAlone, what }: ForeignLog): ToolfoldError {
  const name = basename(file);
  const hint = [
    `Nothing was changed. End all processes that use it, and copy the folder ${dirname(file)}: `,
    isAlone
      ? `sqlite3 removes the log when it opens the file. Then put the ${name} in place that was beside the log. If there ` +
        `is none any more, run: truncate -s 4096 "${file}". Toolfold then opens what the log holds. `
      : `sqlite3 writes the log into the file when it opens it. Then put the ${name} in place that was beside the log, `,
    isAlone
      ? `To begin without the changes of the log, move ${name}-wal and ${name}-shm to another folder.`
      : `or move ${name}-wal and ${name}-shm to another folder, to open the file without the changes of the log.`,
  ].join('');
  return new ToolfoldError(
    'session-damaged',
    `The file of sessions ${file} cannot be opened: ${what}.`,
    hint,
  );
}

/** A log or a journal that another file has left is beside the file of sessions. None of them is opened. */
export function leftError(file: string, what: string): ToolfoldError {
  const name = basename(file);
  return new ToolfoldError(
    'session-damaged',
    `The file of sessions ${file} cannot be opened: ${what}.`,
    `Nothing was changed. End all processes that use it, and copy the folder ${dirname(file)}. Then put the ${name} in ` +
      `place that was there before, or move ${name}-wal and ${name}-journal to another folder.`,
  );
}

/** A text or a message in the file is not what was written. */
function changed(file: string, what: string): ToolfoldError {
  return new ToolfoldError(
    'session-damaged',
    `Damage of the file of sessions ${file} has changed ${what}.`,
    'Check the file: toolfold sessions doctor.',
  );
}

/** A value as a row keeps it. SQLite does not notice changed bytes of a text; the checksum does. */
export interface JsonColumn {
  readonly json: string;
  /** Of the text and of the other columns that belong to it. */
  readonly checksum: number;
}

/** `beside`: the other columns of the row that the checksum is of. */
export function written(value: unknown, beside = ''): JsonColumn {
  const json = JSON.stringify(value);
  return { json, checksum: checksumOf(json, beside) };
}

/** Whether the bytes of a row are those that were written. */
export function isUnchanged({ json, checksum }: JsonColumn, beside = ''): boolean {
  return checksumOf(json, beside) === checksum;
}

/** The value of a row. Throws `session-damaged` if its bytes are not those that were written. */
export function parsed(column: JsonColumn, file: string, what: string, beside = ''): unknown {
  // Damage can turn a text into bytes.
  if (typeof column.json !== 'string' || !isUnchanged(column, beside)) throw changed(file, what);
  return JSON.parse(column.json);
}

function checksumOf(json: string, beside: string): number {
  return crc32(json, crc32(beside));
}
