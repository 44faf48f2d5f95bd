import { errorMessage, ToolfoldError } from '../errors.ts';

/** Settles with the promise, or rejects as soon as the signal fires, with its reason. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Runs pieces of work. */
export type InOrder = <T>(work: () => Promise<T>) => Promise<T>;

/** Each piece of work begins when the one before has settled. The result settles as the work does. */
export function queueOfWork(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/**
 * The milliseconds that a header `Retry-After` asks to wait: it holds seconds or a date (RFC 9110). `undefined`
 * if it holds something else, or a time that is over.
 */
export function retryAfterIn(header: string, now: number = Date.now()): number | undefined {
  const seconds = /^\s*(\d{1,9}(?:\.\d+)?)\s*$/.exec(header)?.[1];
  const delay = seconds === undefined ? Date.parse(header) - now : Number(seconds) * 1000;
  return delay >= 0 ? delay : undefined;
}

/**
 * Waits for a promise for at most the given milliseconds. Resolves with `undefined` after that; the
 * promise continues, and its later failure is ignored. Rejects if the promise rejects in time.
 */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Loads code when it is first needed. Concurrent callers share one load, and loaded code is available
 * at once. A failed load rejects with `missing-dependency` for all waiting callers, or with the
 * `ToolfoldError` of the load; the next caller tries again. An aborted signal rejects only its own caller, with the signal's reason.
 */
export function onDemand<T>(load: () => Promise<T>): (signal?: AbortSignal) => T | Promise<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  const start = async () => {
    try {
      loaded = await load();
      return loaded;
    } catch (error) {
      if (error instanceof ToolfoldError) throw error;
      throw new ToolfoldError(
        'missing-dependency',
        `A part of Toolfold could not be loaded: ${errorMessage(error)}.`,
        'Keep all files of the package, or all chunks of a bundle, where they were built.',
        error,
      );
    }
  };
  return (signal) => {
    if (loaded) return loaded;
    loading ??= start().finally(() => {
      loading = undefined;
    });
    return raceAbort(loading, signal);
  };
}
