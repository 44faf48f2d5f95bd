/** How much the model may ask for. */
export interface SubagentLimits {
  /** In one call. */
  readonly tasks: number;
  /** Children at work at once, over all calls of one agent. */
  readonly concurrency: number;
}

export const NARROW: SubagentLimits = { tasks: 10, concurrency: 8 };
export const WIDE: SubagentLimits = { tasks: 50, concurrency: 12 };

/** Seconds that one task may take at most. */
export const MAX_TIMEOUT = 900;

/** Levels of children at most, where the app allows children to have children. */
export const MAX_DEPTH = 4;

/** Bytes of JSON that all results of a call share, at least and at most. */
export const MIN_RESULT_BYTES = 10_000;
export const MAX_RESULT_BYTES = 10_000_000;
