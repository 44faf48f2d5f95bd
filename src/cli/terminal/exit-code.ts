/** What the process ends with; 129, 130, 131 and 143 after SIGHUP, SIGINT, SIGQUIT and SIGTERM come on top. */
export const exitCode = {
  ok: 0,
  /** Something went wrong, the model failed, or an audited prefix broke. */
  failed: 1,
  /** A bad flag, a malformed configuration, unreadable input. */
  usage: 2,
  /** `inspect`: done, but some servers were not ready. `run` only says so. */
  notReady: 3,
  /** A tool was not run because it needed an approval and nobody could be asked. */
  notApproved: 4,
  /** The answer was given with no rounds of tools left to go on with. */
  roundsSpent: 5,
  /** The turn took longer than it was given. */
  timedOut: 6,
} as const;
