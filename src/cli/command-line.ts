import { Command, CommanderError } from 'commander';
import { ToolfoldError } from '../errors.ts';
import { VERSION } from '../mcp/connection/index.ts';
import { auditCommand } from './audit/index.ts';
import { callCommand } from './call/index.ts';
import { completeCommand, completionCommand } from './completion/index.ts';
import { initCommand } from './init/index.ts';
import { inspectCommand } from './inspect/index.ts';
import { listCommand } from './list/index.ts';
import { loginCommand, logoutCommand } from './login/index.ts';
import { runCommand } from './run/index.ts';
import { searchCommand } from './search/index.ts';
import { type CommandContext, exitCode, type Streams, type Terminal } from './terminal/index.ts';

/** In the order of the help. */
const COMMANDS = [
  initCommand,
  listCommand,
  callCommand,
  inspectCommand,
  searchCommand,
  runCommand,
  auditCommand,
  loginCommand,
  logoutCommand,
  completionCommand,
  completeCommand,
];

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
    const toolfold = program(context);
    await toolfold.parseAsync(withoutUnknownHelp(args, toolfold), { from: 'user' });
  } catch (error) {
    if (!context.signal.aborted) context.exitWith(report(error, context.terminal));
  }
}

function program(context: CommandContext): Command {
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
  for (const command of COMMANDS.map((make) => make(context))) {
    command.exitOverride().copyInheritedSettings(toolfold);
    command.helpOption('-h, --help', 'print this help');
    command.showHelpAfterError(`See toolfold ${command.name()} --help.`);
    toolfold.addCommand(command, { hidden: command.name() === 'complete' });
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
