/** A signal that fires with another one, or when the time is up. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether it was the time that ended it. */
  readonly isOver: () => boolean;
  /** Stops the clock. */
  readonly clear: () => void;
}

/** Begins now; without seconds there is no limit. */
export function timeLimit(signal: AbortSignal, seconds: number | undefined): TimeLimit {
  if (seconds === undefined) return { signal, isOver: () => false, clear: () => {} };
  const late = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = !signal.aborted;
    late.abort(new Error(`The time limit of ${seconds} s was reached.`));
  }, seconds * 1000);
  return {
    signal: AbortSignal.any([signal, late.signal]),
    isOver: () => isOver,
    clear: () => clearTimeout(timer),
  };
}
