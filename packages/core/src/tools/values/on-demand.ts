import { errorMessage, ToolfoldError } from '../../errors.ts';
import { raceAbort } from './race-abort.ts';

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
