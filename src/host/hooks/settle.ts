import { within } from '../../time-limit.ts';
import { raceAbort } from '../../tools/values/index.ts';

/** What came of calling a hook. */
export type SettledHook =
  | { readonly kind: 'answer'; readonly given: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  /** The time limit ended first. The hook continues; what it gives later is ignored. */
  | { readonly kind: 'late' };

/** The longest time of a timer; a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** Calls a hook and waits for its answer. Rejects only with the reason of the signal. */
export async function settle(
  hook: () => unknown,
  timeoutMs: number | undefined,
  signal?: AbortSignal,
): Promise<SettledHook> {
  const settled = raceAbort(settledHook(hook), signal);
  if (timeoutMs === undefined) return settled;
  return (await within(Math.min(timeoutMs, LONGEST), settled)) ?? { kind: 'late' };
}

async function settledHook(hook: () => unknown): Promise<SettledHook> {
  try {
    return { kind: 'answer', given: await hook() };
  } catch (error) {
    return { kind: 'error', error };
  }
}
