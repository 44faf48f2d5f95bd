/**
 * The exit codes of the process. In addition: 129, 130, 131 and 143 after SIGHUP, SIGINT, SIGQUIT
 * and SIGTERM.
 */
export const exitCode = {
  ok: 0,
  /** Something went wrong, the model or a called tool failed, or an audited prefix broke. */
  failed: 1,
  /** A bad flag, a malformed configuration, unreadable input. */
  usage: 2,
  /**
   * `inspect`, `list` and `search`: done, but some servers were not ready. `run` only writes a line
   * about it. `audit`: the prefix held, but some lines could not be read.
   */
  notReady: 3,
  /** A tool did not run because it needed approval and nobody could be asked. */
  notApproved: 4,
  /** The turn ended because no rounds of tools were left. */
  noRoundsLeft: 5,
  /** The turn or the call reached its time limit. */
  timedOut: 6,
  /** A server is named that nobody has said yes to, or nobody could be asked whether an entry is trusted. */
  notTrusted: 7,
} as const;
