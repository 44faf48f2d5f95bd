/** A signal that aborts with another signal, or when the time limit is reached. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the time limit caused the abort. */
  readonly isOver: () => boolean;
  /** Stops the timer. */
  readonly clear: () => void;
}

/**
 * Starts the time limit. Without `seconds` there is no limit. `left`: the milliseconds that are left of it.
 * Default: all.
 */
export function timeLimit(
  signal: AbortSignal,
  seconds: number | undefined,
  left: number = (seconds ?? 0) * 1000,
): TimeLimit {
  if (seconds === undefined) return { signal, isOver: () => false, clear: () => {} };
  const timeout = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = !signal.aborted;
    timeout.abort(new Error(`The time limit of ${seconds} s was reached.`));
  }, left);
  return {
    signal: AbortSignal.any([signal, timeout.signal]),
    isOver: () => isOver,
    clear: () => clearTimeout(timer),
  };
}
