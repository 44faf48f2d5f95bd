import type { Streams } from './streams.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets in addition to its own arguments. */
export interface CommandContext {
  readonly streams: Streams;
  /** Writes to the streams. */
  readonly terminal: Terminal;
  /**
   * Aborts on SIGINT, SIGTERM, SIGHUP and SIGQUIT. The command then stops what it started and
   * returns.
   */
  readonly signal: AbortSignal;
  /** Sets the exit code of the process. */
  exitWith(code: number): void;
}
