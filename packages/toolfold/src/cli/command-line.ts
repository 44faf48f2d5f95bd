import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { Command, CommanderError } from 'commander';
import {
  type CommandContext,
  exitCode,
  type Streams,
  type Terminal,
} from '../app/terminal/index.ts';
import { knownCommands, listedCommand, loadedCommand } from './known-commands.ts';

const afterHelp = `
Examples:
  toolfold init
  toolfold list
  toolfold call github__get_issue '{ "number": 7 }'
  toolfold inspect
  toolfold search "create an issue"
  toolfold run --model anthropic/claude-sonnet-4-5 "Which issues were opened today?"
  toolfold audit requests.jsonl

toolfold <command> --help shows the options of a command.`;

/**
 * Runs the command line (`args` without `node` and the script). It never throws: what goes wrong is
 * written to stderr, and sets the exit code. After the signal neither happens.
 */
export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
): Promise<void> {
  try {
    const toolfold = await program(args, context);
    await toolfold.parseAsync(withoutUnknownHelp(args), { from: 'user' });
  } catch (error) {
    if (!context.signal.aborted) context.exitWith(report(error, context.terminal));
  }
}

async function program(args: readonly string[], context: CommandContext): Promise<Command> {
  const { stdout, stderr } = context.streams;
  // Commander wraps at 80 columns if there is no width.
  const widthOf = ({ isTTY, columns = 80 }: Streams['stdout']) => (isTTY ? columns : 80);
  const toolfold = new Command('toolfold')
    .description(
      'The tool layer for LLM agents. It shows how many tokens your tools cost, runs prompts with deferred tools, and checks that the prompt cache holds.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', afterHelp)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    })
    .showHelpAfterError('See toolfold --help.');
  for (const command of await allCommands(args, context)) {
    inherit(command, toolfold);
    toolfold.addCommand(command, { hidden: command.name() === 'complete' });
  }
  return toolfold;
}

/** Gives a command, and the commands below it, the settings of the program. */
function inherit(command: Command, parent: Command, path: string = 'toolfold'): void {
  const name = `${path} ${command.name()}`;
  command.exitOverride().copyInheritedSettings(parent);
  command.helpOption('-h, --help', 'print this help');
  command.showHelpAfterError(`See ${name} --help.`);
  for (const below of command.commands) inherit(below, command, name);
}

/** Commands whose output is made of all commands. */
const NEED_ALL = ['completion', 'complete'];

/**
 * All commands: the one that the arguments name with its code, the others as the help shows them. For
 * commands that are made of all, all with their code.
 */
async function allCommands(args: readonly string[], context: CommandContext): Promise<Command[]> {
  const [first = '', second = ''] = args.filter((arg) => arg === '-' || !arg.startsWith('-'));
  const name = first === 'help' ? second : first;
  const isNeeded = (known: string) => known === name || NEED_ALL.includes(name);
  return Promise.all(
    Object.entries(knownCommands).map(([known, row]) =>
      isNeeded(known) ? loadedCommand(row, context) : listedCommand(known, row),
    ),
  );
}

/**
 * Commander prints the general help for an unknown command. The name alone makes an error with a
 * suggestion.
 */
function withoutUnknownHelp(args: readonly string[]): readonly string[] {
  const named = args[0] === 'help' ? args[1] : args[0];
  const known = ['help', ...Object.keys(knownCommands)];
  return named === undefined || named.startsWith('-') || known.includes(named) ? args : [named];
}

/** The codes of errors for which the user must give something else. */
const USAGE: ReadonlySet<string> = new Set([
  ...['invalid-config', 'invalid-option', 'unknown-role'],
  ...['session-unknown', 'session-newer'],
]);

/** Writes what went wrong to stderr, and returns the exit code for it. */
function report(error: unknown, terminal: Terminal): number {
  // Commander has written its own message. Its code is 0 after --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  const isOwn = error instanceof ToolfoldError;
  const said = isOwn ? error.message : error instanceof Error ? error.stack : error;
  terminal.note(`toolfold: ${said}`);
  if (isOwn && error.code === 'not-trusted') return exitCode.notTrusted;
  return isOwn && USAGE.has(error.code) ? exitCode.usage : exitCode.failed;
}
