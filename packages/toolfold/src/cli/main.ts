import { within } from '@toolfold/core/internal/values';
import { VERSION } from '@toolfold/core/internal/version.ts';
import type { CommandContext } from '../terminal/index.ts';

/** Milliseconds for a slow reader to take the last output of a command that was stopped early. */
const LAST_OUTPUT = 1000;

/**
 * Runs the command line (`args` without `node` and the script) and sets the exit code of the
 * process.
 */
export async function main(args: readonly string[]): Promise<void> {
  if (args[0] === 'complete') {
    const { fastCompletions } = await import('./complete.ts');
    const answer = await fastCompletions(args.slice(1));
    if (answer !== undefined) {
      // A shell that no longer waits for the answer is not a failure.
      process.stdout.on('error', () => {});
      process.stdout.write(answer);
      return;
    }
  }
  // Not the whole room: the version needs no more.
  const [{ openTerminal }, { exitCode }, { Unwritten }, { followSignals }] = await Promise.all([
    import('../terminal/terminal.ts'),
    import('../terminal/terminal.ts'),
    import('../terminal/terminal.ts'),
    import('./stop-signals.ts'),
  ]);
  const stop = new AbortController();
  /** The exit code of a command that was stopped early. */
  let stoppedWith: number | undefined;
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
  const unwritten = new Unwritten();
  const allowStopTime = followSignals({ stop: stopWith, unwritten, note: terminal.note });
  const context: CommandContext = {
    streams: process,
    terminal,
    signal: stop.signal,
    // The clock of the process begins when the process does.
    startedAt: 0,
    unwritten,
    allowStopTime,
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
  const written = Promise.all([process.stdout, process.stderr].map(flushed));
  await (stoppedWith === undefined ? written : within(LAST_OUTPUT, written));
  // What a library has left open must not keep the process alive.
  process.exit();
}

/** Waits until a stream has given away what was written to it, or has reported that it cannot. */
async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise(setImmediate);
  if (stream.writableLength === 0 || stream.destroyed) return;
  await new Promise((resolve) => stream.write('', resolve));
}
