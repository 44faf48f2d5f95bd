import { errorMessage, ToolfoldError } from '../../../errors.ts';
import { ownProperty } from '../../../tools/values/index.ts';
import { notRetryable } from '../../store/index.ts';

/** SQLite's primary result codes of a place that can not be read or written, with what to do. Some end by themselves. */
const UNAVAILABLE = [
  { codes: [5, 6, 15], hint: 'Another process locks it. Try again.', isMomentary: true },
  { codes: [13], hint: 'The disk is full. Make space and try again.', isMomentary: true },
  { codes: [3, 8, 14, 23], hint: 'Check the folder and its permissions.' },
  { codes: [7], hint: 'There is no memory left.' },
  { codes: [10], hint: 'Check the disk.' },
  { codes: [18], hint: 'The text is larger than SQLite can keep.' },
];

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
  const known = UNAVAILABLE.find(({ codes }) => codes.includes(primary));
  return known
    ? unavailable(file, errorMessage(error), known.hint, error, known.isMomentary)
    : error;
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
