import { errorMessage, ToolfoldError } from '../../errors.ts';
import { raceAbort } from './race-abort.ts';

/**
 * Code that is loaded when first needed: one load is shared by all who ask meanwhile, and what has
 * loaded is there at once. A load that fails rejects with `missing-dependency` for all who wait, and
 * whoever asks next tries again. Rejects with the signal's reason for this one alone.
 */
export function onDemand<T>(load: () => Promise<T>): (signal?: AbortSignal) => T | Promise<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  const start = async () => {
    try {
      loaded = await load();
      return loaded;
    } catch (error) {
      throw new ToolfoldError(
        'missing-dependency',
        `A part of Toolfold could not be loaded: ${errorMessage(error)}.`,
        'Keep all files of the package, or all chunks of a bundle, where they were built.',
        error,
      );
    }
  };
  return (signal) => {
    if (loaded !== undefined) return loaded;
    loading ??= start().finally(() => {
      loading = undefined;
    });
    return raceAbort(loading, signal);
  };
}
