import { errorMessage, ToolfoldError } from '../../../errors.ts';
import { ownProperty } from '../../../tools/values/index.ts';
import { notRetryable } from '../../store/index.ts';

/** SQLite's primary result codes of a place that can not be read or written, with what to do. */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [3, 'Check the permissions.'],
  [5, 'Another process locks it. Try again.'],
  [6, 'Another process locks it. Try again.'],
  [7, 'There is no memory left.'],
  [8, 'Check the permissions of the file and of its folder.'],
  [10, 'Check the disk.'],
  [13, 'The disk is full. Make space and try again.'],
  [14, 'Check the folder and its permissions.'],
  [15, 'Another process locks it. Try again.'],
  [18, 'The text is larger than SQLite can keep.'],
  [23, 'Check the permissions.'],
]);

/** Those that may end by themselves, so that it helps to try again: BUSY, LOCKED, FULL and PROTOCOL. */
const MOMENTARY: ReadonlySet<number> = new Set([5, 6, 13, 15]);

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
    return unavailable(file, 'the store is closed', 'Open it again.', error);
  const code = ownProperty(error, 'errcode');
  // A number that is larger than any that was written.
  if (ownProperty(error, 'code') === 'ERR_OUT_OF_RANGE')
    return damaged(file, errorMessage(error), error);
  if (typeof code !== 'number') return error;
  // The upper bits say more about the same cause.
  const primary = code & 0xff;
  if (DAMAGED.has(primary) || code === SHORT_READ) return damaged(file, errorMessage(error), error);
  const hint = UNAVAILABLE.get(primary);
  if (hint === undefined) return error;
  return unavailable(file, errorMessage(error), hint, error, MOMENTARY.has(primary));
}

/** The place of the sessions can not be read or written. Trying again helps if that `isMomentary`. */
export function unavailable(
  place: string,
  what: string,
  hint: string,
  cause?: unknown,
  isMomentary = false,
): ToolfoldError {
  const message = `The sessions in ${place} are not available: ${what}.`;
  const error = new ToolfoldError('session-unavailable', message, hint, cause);
  return isMomentary ? error : notRetryable(error);
}

/** The file of the sessions holds something else than what was written. */
export function damaged(file: string, what: string, cause?: unknown): ToolfoldError {
  return new ToolfoldError(
    'session-damaged',
    `The file of sessions ${file} is damaged: ${what}.`,
    'It is moved aside, and what can be read is kept. Try again.',
    cause,
  );
}
