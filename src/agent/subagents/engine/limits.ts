/** Upper limits of a call by the model. */
export interface SubagentLimits {
  /** Tasks in one call. */
  readonly tasks: number;
  /** Children that run at once, over all calls of one agent. */
  readonly concurrency: number;
}

/** The name of the tool, also in roles and globs. */
export const SUBAGENTS = 'subagents';

export const NARROW: SubagentLimits = { tasks: 10, concurrency: 8 };
export const WIDE: SubagentLimits = { tasks: 50, concurrency: 12 };

/** Default number of children that run at once. */
export const DEFAULT_CONCURRENCY = 4;

/** Time limit of one task in seconds: default and maximum. */
export const DEFAULT_TIMEOUT = 300;
export const MAX_TIMEOUT = 900;

/** Maximum levels of children. */
export const MAX_DEPTH = 4;

/** Bytes of JSON for all results of a call: default, minimum and maximum. */
export const RESULT_BYTES = 60_000;
export const MIN_RESULT_BYTES = 10_000;
export const MAX_RESULT_BYTES = 10_000_000;
