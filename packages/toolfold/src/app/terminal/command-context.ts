import type { Streams, Terminal } from './terminal.ts';
import type { Unwritten } from './unwritten.ts';

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
  /** When the command started, by the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Outcomes for which a first signal waits. */
  readonly unwritten: Unwritten;
  /** Gives the command more milliseconds after a first signal. Absent where no signal ends the command. */
  readonly allowStopTime?: (milliseconds: number) => void;
  /** Sets the exit code of the process. */
  exitWith(code: number): void;
}

/** Milliseconds that are left of a time limit in seconds, which begins with the command. At least 1. */
export function timeLeft(
  seconds: number,
  { startedAt }: Pick<CommandContext, 'startedAt'>,
): number {
  return Math.max(1, Math.ceil(startedAt + seconds * 1000 - performance.now()));
}
