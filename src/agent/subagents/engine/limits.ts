/** The name of the tool, also in roles and globs. */
export const SUBAGENTS = 'subagents';

/** Default number of children that run at once. */
export const DEFAULT_CONCURRENCY = 4;

/** Default time limit of one task in seconds. */
export const DEFAULT_TIMEOUT = 300;

/** Default bytes of JSON for all results of a call. */
export const RESULT_BYTES = 60_000;
