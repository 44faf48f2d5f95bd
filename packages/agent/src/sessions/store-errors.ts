import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { Owner } from './lease.ts';
import { type Entry, MISSING_ENTRY } from './store.ts';

/** `place`: the name of the store, for those who may have another one in mind. */
export function unknownSession(id: string, place?: string): ToolfoldError {
  return new ToolfoldError(
    'session-unknown',
    `There is no session "${id}"${place === undefined ? '' : ` in ${place}`}.`,
    'List the sessions: toolfold sessions ls.',
  );
}

export function takenId(what: 'a session' | 'an entry', id: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `There is ${what} "${id}" already.`,
    'Give another id, or none.',
  );
}

/** The error for a session whose lease another process holds. */
export function busySession(id: string, { pid, host, since }: Owner): ToolfoldError {
  const begun = since === undefined ? '' : ` since ${new Date(since).toISOString()}`;
  return new ToolfoldError(
    'session-busy',
    `The process ${pid} on ${host} writes the session "${id}"${begun}.`,
    'Wait until it has ended its turn, or end that process.',
  );
}

/** The error for a session that has the id of a subagent's session, and is none of that parent. */
export function notAChild(id: string, parent: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The session "${id}" is not one of a subagent of "${parent}", although its id is.`,
    `Export it, import it under another id, and remove it: toolfold sessions rm ${id}.`,
  );
}

/** The error for who holds a session no more, or does not know its end. */
export function lostSession(what: string): ToolfoldError {
  const hint = 'Another process may have taken it. Open the session again.';
  return new ToolfoldError('session-lost', what, hint);
}

/** Throws what a store has rejected with. An error of another kind, of its driver, becomes `session-unavailable`. */
export function failWith(error: unknown): never {
  if (error instanceof ToolfoldError) throw error;
  const what = `The store of the session failed: ${errorMessage(error)}.`;
  throw new ToolfoldError('session-unavailable', what, 'Check the store.', error);
}

/** Throws `session-damaged` if one of a session's entries stands for lost ones. */
export function checkWhole(entries: readonly Entry[], id: string): void {
  const gap = entries.find(({ kind }) => kind === MISSING_ENTRY);
  if (!gap) return;
  const before = gap.seq - 1;
  const fork = before === 0 ? '' : ` To continue before the gap, fork it at entry ${before}.`;
  throw new ToolfoldError(
    'session-damaged',
    `The session "${id}" cannot be continued: damage of its file has destroyed entry ${gap.seq}, and maybe later ones.`,
    `What is left can be read and exported: toolfold sessions show ${id}.${fork}`,
  );
}

/** Milliseconds for which an operation that fails for a moment is tried again. */
const RETRY_TIMEOUT = 120_000;

/** Milliseconds between two attempts: the first pause, and the longest. Each is twice the one before. */
const [FIRST_DELAY, LONGEST_DELAY] = [20, 1_000];

/** Errors that trying again does not end, or not any more. */
const NOT_RETRYABLE = new WeakSet<object>();

/** Marks an error: trying again does not help. */
export function notRetryable<ERROR extends object>(error: ERROR): ERROR {
  NOT_RETRYABLE.add(error);
  return error;
}

/** Whether a store is not available for a moment: it is locked, or there is no space. */
function isRetryable(error: unknown): boolean {
  return (
    error instanceof ToolfoldError &&
    error.code === 'session-unavailable' &&
    !NOT_RETRYABLE.has(error)
  );
}

/**
 * Does `work` again after `error`, the one with which a first attempt has failed, and after growing pauses while it
 * fails for a moment, for up to `limit` milliseconds. The event loop is free in the pauses. Rejects with the last error.
 */
export async function retrying<T>(
  error: unknown,
  work: () => T | Promise<T>,
  limit: number = RETRY_TIMEOUT,
): Promise<T> {
  const begun = performance.now();
  let last = error;
  for (let pause = FIRST_DELAY; ; pause = Math.min(pause * 2, LONGEST_DELAY)) {
    if (!isRetryable(last)) throw last;
    if (performance.now() - begun + pause > limit) throw notRetryable(last as Error);
    // Processes that wait for the same lock must not come at the same time again and again.
    const wait = pause * (0.5 + Math.random() / 2);
    await new Promise<void>((resolve) => setTimeout(resolve, wait));
    try {
      return await work();
    } catch (again) {
      last = again;
    }
  }
}
