import type { CallOutcome } from './outcome.ts';

/** A call of a real tool that is executed. */
export interface ExecutedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * Observes each execution of a tool, for example to keep a record. Both functions are awaited. If
 * `started` throws, the tool does not run. If `settled` throws, the call fails with its error.
 */
export interface CallObserver {
  /** Called right before the tool runs, so before any effect. */
  readonly started?: (call: ExecutedCall) => unknown;
  /** Called after the tool and the hooks, with the outcome that the AI SDK and the model get. */
  readonly settled?: (call: ExecutedCall, outcome: CallOutcome) => unknown;
}

/** Combines observers into one that calls each in order. */
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
