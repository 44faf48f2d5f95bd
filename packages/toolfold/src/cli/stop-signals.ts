import type { Unwritten } from '../terminal/index.ts';

/** 128 plus the signal's number, as in shells. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/** Milliseconds after the first signal in which a command cleans up. The process then ends. */
const PATIENCE = 1500;
/** Signals within these milliseconds are one: a terminal that closes and what supervises it may both send one. */
const TOGETHER = 500;
/** Milliseconds between two looks at outcomes that are still being written. */
const NEXT_LOOK = 100;

const WRITING =
  'toolfold: The outcome of a call is still being written. A second signal ends the command without it.';

export interface SignalOptions {
  /** Called with the first signal. The command then ends what it started. */
  readonly stop: (code: number, reason: string) => void;
  readonly unwritten: Pick<Unwritten, 'hasOutcome'>;
  readonly note: (text: string) => void;
}

/**
 * The first signal stops the command. Two seconds later at most the process has ended, but for an outcome
 * that is being written: the user is told, and the process ends when it is written. A second signal, half a second later or more,
 * ends the process at once. Servers end with the process. Returns a function that gives the command milliseconds beyond
 * these two seconds.
 */
export function followSignals({
  stop,
  unwritten,
  note,
}: SignalOptions): (milliseconds: number) => void {
  let signalledAt: number | undefined;
  let patience = PATIENCE;
  const end = (code: number, isNoted: boolean): void => {
    if (!unwritten.hasOutcome) process.exit(code);
    if (!isNoted) note(WRITING);
    setTimeout(end, NEXT_LOOK, code, true);
  };
  for (const [signal, code] of Object.entries(signalCodes))
    process.on(signal, () => {
      const now = performance.now();
      if (signalledAt !== undefined) {
        if (now - signalledAt >= TOGETHER) process.exit(code);
        return;
      }
      signalledAt = now;
      stop(code, `stopped by ${signal}`);
      setTimeout(end, patience, code, false).unref();
    });
  return (milliseconds) => {
    patience = PATIENCE + milliseconds;
  };
}
