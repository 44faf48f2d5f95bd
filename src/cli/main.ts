import { Command, CommanderError } from 'commander';
import { ToolfoldError } from '../errors.ts';
import { VERSION } from '../mcp/connection/index.ts';
import { auditCommand } from './audit/index.ts';
import { inspectCommand } from './inspect/index.ts';
import { runCommand } from './run/index.ts';
import { type CommandContext, exitCode, openTerminal, type Terminal } from './terminal/index.ts';

const afterHelp = `
Examples:
  toolfold inspect
  toolfold run --model anthropic/claude-sonnet-4-5 "Which issues were opened today?"
  toolfold audit requests.jsonl

toolfold <command> --help shows the options of a command.`;

/** 128 and the signal's number, as shells say it. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/** Runs the command line (without `node` and the script); sets the process's exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const stop = new AbortController();
  /** What an end before the command's own is reported with. */
  let stoppedWith: number | undefined;
  let isSignalled = false;
  const stopWith = (code: number, why: string): void => {
    stoppedWith ??= code;
    // Also for an end that is not orderly: the terminal may be gone, and writing to it fails.
    process.exitCode = stoppedWith;
    stop.abort(new Error(why));
  };
  const terminal = openTerminal((code) =>
    // A reader that has read enough, such as `head`, is no failure of the command's.
    stopWith(code ?? Number(process.exitCode ?? exitCode.ok), 'stdout is closed'),
  );
  for (const [signal, code] of Object.entries(signalCodes)) {
    process.on(signal, () => {
      // The second time the user does not want to wait for an orderly end.
      if (isSignalled) process.exit(code);
      isSignalled = true;
      stopWith(code, `stopped by ${signal}`);
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
    const toolfold = program(context);
    await toolfold.parseAsync(withoutLostHelp(args, toolfold), { from: 'user' });
  } catch (error) {
    if (stoppedWith === undefined) process.exitCode = report(error, terminal);
  }
  if (stoppedWith !== undefined) process.exitCode = stoppedWith;
}

function program(context: CommandContext): Command {
  const toolfold = new Command('toolfold')
    .description(
      'The tool layer for LLM agents. It shows what your tools cost a model, runs prompts with deferred tools, and checks that the prompt cache holds.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', afterHelp)
    .exitOverride()
    .showHelpAfterError('See toolfold --help.');
  for (const command of [inspectCommand, runCommand, auditCommand].map((make) => make(context))) {
    command.exitOverride().copyInheritedSettings(toolfold);
    command.helpOption('-h, --help', 'print this help');
    toolfold.addCommand(command.showHelpAfterError(`See toolfold ${command.name()} --help.`));
  }
  return toolfold;
}

/** The help of a command that does not exist would be that of all: its name alone is an error with a suggestion. */
function withoutLostHelp(args: readonly string[], { commands }: Command): readonly string[] {
  const named = args[0] === 'help' ? args[1] : args[0];
  const known = ['help', ...commands.map((command) => command.name())];
  return named === undefined || named.startsWith('-') || known.includes(named) ? args : [named];
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
