import { ToolfoldError } from '@toolfold/core/internal/errors.ts';

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
