import type { CallOutcome } from './hooks.ts';

/** A call of a real tool that runs. */
export interface ExecutedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * Follows what runs, for those who keep a record of it. Both are waited for. A `started` that throws
 * keeps the tool from running; a `settled` that throws makes the call fail with its error.
 */
export interface CallObserver {
  /** Right before the tool runs: nothing has had an effect yet. */
  readonly started?: (call: ExecutedCall) => unknown;
  /** Right after, with what everybody else is then given. */
  readonly settled?: (call: ExecutedCall, outcome: CallOutcome) => unknown;
}

/** Observers as one; each of them in turn. */
export function allOf(observers: readonly CallObserver[]): Required<CallObserver> {
  return {
    started: async (call) => {
      for (const observer of observers) await observer.started?.(call);
    },
    settled: async (call, outcome) => {
      for (const observer of observers) await observer.settled?.(call, outcome);
    },
  };
}
