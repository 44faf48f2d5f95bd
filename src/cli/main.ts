import { Command, CommanderError } from 'commander';
import { ToolfoldError } from '../errors.ts';
import { VERSION } from '../mcp/connection/index.ts';
import { auditCommand } from './audit/index.ts';
import { inspectCommand } from './inspect/index.ts';
import { runCommand } from './run/index.ts';
import { type CommandContext, exitCode, openTerminal, type Terminal } from './terminal/index.ts';

/** 128 and the signal's number, as shells say it. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/** Runs the command line (without `node` and the script); sets the process's exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const terminal = openTerminal();
  const stop = new AbortController();
  let stoppedWith: number | undefined;
  for (const [signal, code] of Object.entries(signalCodes)) {
    process.on(signal, () => {
      // The second time the user does not want to wait for an orderly end.
      if (stoppedWith !== undefined) process.exit(code);
      stoppedWith = code;
      // Also for an end that is not orderly: the terminal may be gone, and writing to it fails.
      process.exitCode = code;
      stop.abort(new Error(`stopped by ${signal}`));
    });
  }
  const context: CommandContext = {
    terminal,
    signal: stop.signal,
    exitWith: (code) => {
      process.exitCode = code;
    },
  };
  try {
    await program(context).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (stoppedWith === undefined) process.exitCode = report(error, terminal);
  }
  if (stoppedWith !== undefined) process.exitCode = stoppedWith;
}

function program(context: CommandContext): Command {
  const toolfold = new Command('toolfold')
    .description(
      'The tool layer for LLM agents: what your tools cost, and what folding them saves.',
    )
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('(toolfold --help shows what there is)');
  for (const command of [runCommand, inspectCommand, auditCommand].map((make) => make(context))) {
    toolfold.addCommand(command.exitOverride().copyInheritedSettings(toolfold));
  }
  return toolfold;
}

/** Tells people what went wrong, and returns the exit code for it. */
function report(error: unknown, terminal: Terminal): number {
  // Commander has written its own message; 0 is what it ends --help and --version with.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (error instanceof ToolfoldError) {
    terminal.note(`toolfold: ${error.message}`);
    const isUsage = ['invalid-config', 'invalid-option', 'unknown-role'].includes(error.code);
    return isUsage ? exitCode.usage : exitCode.failed;
  }
  terminal.note(`toolfold: ${error instanceof Error ? error.stack : String(error)}`);
  return exitCode.failed;
}
