/** What the process ends with; 130 and 143 after SIGINT and SIGTERM come on top. */
export const exitCode = {
  ok: 0,
  /** Something went wrong, or an audited prefix broke. */
  failed: 1,
  /** A bad flag, a malformed configuration, unreadable input. */
  usage: 2,
  /** Done, but some servers were not ready. */
  notReady: 3,
} as const;
