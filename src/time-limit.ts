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
