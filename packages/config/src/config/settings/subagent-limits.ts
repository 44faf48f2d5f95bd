/** The limits of what the model may request. */
export interface SubagentLimits {
  /** Tasks in one call. */
  readonly tasks: number;
  /** Children that run at the same time, over all calls of one agent. */
  readonly concurrency: number;
}

export const NARROW: SubagentLimits = { tasks: 10, concurrency: 8 };
export const WIDE: SubagentLimits = { tasks: 50, concurrency: 12 };

/** The maximum time of one task, in seconds. */
export const MAX_TIMEOUT = 900;

/** The maximum number of levels of children, if the app allows children to have children. */
export const MAX_DEPTH = 4;

/** The smallest and largest limit for all results of a call together, in bytes of JSON. */
export const MIN_RESULT_BYTES = 10_000;
export const MAX_RESULT_BYTES = 10_000_000;
