/** How much the model may ask for. */
export interface SubagentLimits {
  /** In one call. */
  readonly tasks: number;
  /** Children at work at once, over all calls of one agent. */
  readonly concurrency: number;
}

/** The name the tool goes by, in roles and globs too. */
export const SUBAGENTS = 'subagents';

export const NARROW: SubagentLimits = { tasks: 10, concurrency: 8 };
export const WIDE: SubagentLimits = { tasks: 50, concurrency: 12 };

/** Children at work at once, where the model says nothing. */
export const DEFAULT_CONCURRENCY = 4;

/** Seconds that one task may take, where the model says nothing, and at most. */
export const DEFAULT_TIMEOUT = 300;
export const MAX_TIMEOUT = 900;

/** Levels of children at most, where the app allows children to have children. */
export const MAX_DEPTH = 4;

/** Bytes of JSON that all results of a call share, where the app says nothing; and at least and at most. */
export const RESULT_BYTES = 60_000;
export const MIN_RESULT_BYTES = 10_000;
export const MAX_RESULT_BYTES = 10_000_000;
