/**
 * What a promise comes to, but no later than after that many milliseconds; `undefined` where it takes
 * longer: it goes on, and its failure is nobody's any more. Rejects as it does.
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
