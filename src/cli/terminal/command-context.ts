import type { Terminal } from './terminal.ts';
/** What every command gets beside its own arguments. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Aborts on SIGINT, SIGTERM, SIGHUP and SIGQUIT; a command then ends what it started and returns. */
  readonly signal: AbortSignal;
  /** Sets what the process will end with. */
  exitWith(code: number): void;
}
