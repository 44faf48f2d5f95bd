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
