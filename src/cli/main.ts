import { Command, CommanderError } from 'commander';
import { ToolfoldError } from '../errors.ts';
import { VERSION } from '../mcp/connection/index.ts';
import { auditCommand } from './audit/index.ts';
import { inspectCommand } from './inspect/index.ts';
import { runCommand } from './run/index.ts';
import { searchCommand } from './search/index.ts';
import { type CommandContext, exitCode, openTerminal, type Terminal } from './terminal/index.ts';

const afterHelp = `
Examples:
  toolfold inspect
  toolfold search "create an issue"
  toolfold run --model anthropic/claude-sonnet-4-5 "Which issues were opened today?"
  toolfold audit requests.jsonl

toolfold <command> --help shows the options of a command.`;

/** 128 plus the signal's number, as in shells. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/**
 * Runs the command line (`args` without `node` and the script) and sets the exit code of the
 * process.
 */
export async function main(args: readonly string[]): Promise<void> {
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
  const terminal = openTerminal((code) =>
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
    terminal,
    signal: stop.signal,
    exitWith: (code) => {
      process.exitCode = code;
    },
  };
  try {
    const toolfold = program(context);
    await toolfold.parseAsync(withoutUnknownHelp(args, toolfold), { from: 'user' });
  } catch (error) {
    if (stoppedWith === undefined) process.exitCode = report(error, terminal);
  }
  if (stoppedWith !== undefined) process.exitCode = stoppedWith;
}

function program(context: CommandContext): Command {
  const toolfold = new Command('toolfold')
    .description(
      'The tool layer for LLM agents. It shows how many tokens your tools cost, runs prompts with deferred tools, and checks that the prompt cache holds.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', afterHelp)
    .exitOverride()
    .showHelpAfterError('See toolfold --help.');
  for (const command of [inspectCommand, searchCommand, runCommand, auditCommand].map((make) =>
    make(context),
  )) {
    command.exitOverride().copyInheritedSettings(toolfold);
    command.helpOption('-h, --help', 'print this help');
    toolfold.addCommand(command.showHelpAfterError(`See toolfold ${command.name()} --help.`));
  }
  return toolfold;
}

/**
 * Commander prints the general help for an unknown command. The name alone makes an error with a
 * suggestion.
 */
function withoutUnknownHelp(args: readonly string[], { commands }: Command): readonly string[] {
  const named = args[0] === 'help' ? args[1] : args[0];
  const known = ['help', ...commands.map((command) => command.name())];
  return named === undefined || named.startsWith('-') || known.includes(named) ? args : [named];
}

/** Writes what went wrong to stderr, and returns the exit code for it. */
function report(error: unknown, terminal: Terminal): number {
  // Commander has written its own message. Its code is 0 after --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (error instanceof ToolfoldError) {
    terminal.note(`toolfold: ${error.message}`);
    const isUsage = ['invalid-config', 'invalid-option', 'unknown-role'].includes(error.code);
    return isUsage ? exitCode.usage : exitCode.failed;
  }
  terminal.note(`toolfold: ${error instanceof Error ? error.stack : String(error)}`);
  return exitCode.failed;
}
