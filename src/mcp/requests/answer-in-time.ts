import { raceAbort } from '../../tools/values/index.ts';

/**
 * Runs `ask` with a signal that fires when one of the signals fires or the time is over. Rejects then
 * at once, also if `ask` goes on. `milliseconds`: the time for the answer.
 */
export async function answerInTime<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signals: readonly AbortSignal[],
  milliseconds: number,
): Promise<T> {
  const over = new AbortController();
  const reason = new DOMException('There was no answer in time.', 'TimeoutError');
  const timer = setTimeout(() => over.abort(reason), milliseconds);
  const signal = AbortSignal.any([...signals, over.signal]);
  try {
    signal.throwIfAborted();
    return await raceAbort(ask(signal), signal);
  } finally {
    clearTimeout(timer);
    // Whoever still waits for the user must not: the answer would be ignored.
    over.abort(reason);
  }
}
