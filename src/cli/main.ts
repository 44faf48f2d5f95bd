import { within } from '../time-limit.ts';
import { VERSION } from '../version.ts';
import type { CommandContext } from './terminal/index.ts';

/** 128 plus the signal's number, as in shells. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/** Milliseconds for a slow reader to take the last output of a command that a signal has stopped. */
const LAST_OUTPUT = 1000;

/**
 * Runs the command line (`args` without `node` and the script) and sets the exit code of the
 * process.
 */
export async function main(args: readonly string[]): Promise<void> {
  if (args[0] === 'complete') {
    const { fastCompletions } = await import('./completion/fast-completions.ts');
    const answer = await fastCompletions(args.slice(1));
    if (answer !== undefined) {
      // A shell that no longer waits for the answer is not a failure.
      process.stdout.on('error', () => {});
      process.stdout.write(answer);
      return;
    }
  }
  // Not the whole room: the version needs no more.
  const [{ openTerminal }, { exitCode }] = await Promise.all([
    import('./terminal/terminal.ts'),
    import('./terminal/exit-code.ts'),
  ]);
  const stop = new AbortController();
  /** The exit code of a command that was stopped early. */
  let stoppedWith: number | undefined;
  let isSignalled = false;
  const stopWith = (code: number, reason: string): void => {
    stoppedWith ??= code;
    // Set at once: if the terminal is closed, a failed write may end the process early.
    process.exitCode = stoppedWith;
    stop.abort(new Error(reason));
  };
  const terminal = openTerminal(process, (code) =>
    // A reader that stops early, such as `head`, is not a failure of the command.
    stopWith(code ?? Number(process.exitCode ?? exitCode.ok), 'stdout is closed'),
  );
  for (const [signal, code] of Object.entries(signalCodes)) {
    process.on(signal, () => {
      // On the second signal the user does not want to wait for the cleanup.
      if (isSignalled) process.exit(code);
      isSignalled = true;
      stopWith(code, `stopped by ${signal}`);
    });
  }
  const context: CommandContext = {
    streams: process,
    terminal,
    signal: stop.signal,
    exitWith: (code) => {
      process.exitCode = code;
    },
  };
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    terminal.out(`${VERSION}\n`);
  } else {
    const { runCommandLine } = await import('./command-line.ts');
    await runCommandLine(args, context);
  }
  if (stoppedWith !== undefined) process.exitCode = stoppedWith;
  if (isSignalled && process.stdout.writableLength > 0) {
    await within(LAST_OUTPUT, new Promise((resolve) => process.stdout.write('', resolve)));
    // A reader that has stopped would keep the process alive.
    process.exit();
  }
}
