import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { Command, CommanderError } from 'commander';
import { type CommandContext, exitCode, type Streams, type Terminal } from '../terminal/index.ts';

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

/** A command: what the general help says of it, and how its code is loaded. */
interface KnownCommand {
  /** Not set for a command that the help does not show. */
  readonly summary?: string;
  /** The arguments in commander's notation. */
  readonly arguments?: string;
  /** Default: true. */
  readonly hasOptions?: boolean;
  readonly load: () => Promise<(context: CommandContext) => Command>;
}

/** All commands by name, in the order of the help. */
export const knownCommands: Readonly<Record<string, KnownCommand>> = {
  init: {
    summary: 'merge the MCP servers of your clients into one file',
    load: async () => (await import('../cli-servers/init.ts')).initCommand,
  },
  list: {
    summary: 'list your MCP servers and their tools',
    arguments: '[query...]',
    load: async () => (await import('../cli-tools/list.ts')).listCommand,
  },
  call: {
    summary: 'call one tool of your MCP servers',
    arguments: '<tool> [arguments...]',
    load: async () => (await import('../cli-tools/call.ts')).callCommand,
  },
  inspect: {
    summary: 'show what your MCP tools cost, and what each strategy saves',
    load: async () => (await import('../cli-tools/inspect.ts')).inspectCommand,
  },
  search: {
    summary: 'find tools by what they are for',
    arguments: '[query...]',
    load: async () => (await import('../cli-tools/search.ts')).searchCommand,
  },
  run: {
    summary: 'answer one prompt with the tools of your MCP servers',
    arguments: '[prompt]',
    load: async () => (await import('../cli-agent/run.ts')).runCommand,
  },
  chat: {
    summary: 'talk to a model with the tools of your MCP servers',
    arguments: '[message]',
    load: async () => (await import('../cli-agent/chat.ts')).chatCommand,
  },
  web: {
    summary: 'the agent on a page in your browser, with what every turn costs',
    load: async () => (await import('../cli-agent/web.ts')).webCommand,
  },
  acp: {
    summary: 'the agent for editors that speak the Agent Client Protocol',
    load: async () => (await import('../cli-agent/acp.ts')).acpCommand,
  },
  serve: {
    summary: 'one MCP server in front of all of yours, for any MCP client',
    load: async () => (await import('../cli-servers/serve.ts')).serveCommand,
  },
  sessions: {
    summary: 'list, show, export, import, remove and check sessions',
    hasOptions: false,
    load: async () => (await import('../cli-agent/sessions.ts')).sessionsCommand,
  },
  audit: {
    summary: 'find where recorded requests broke the prompt-cache prefix',
    arguments: '<file>',
    load: async () => (await import('../cli-agent/audit.ts')).auditCommand,
  },
  trust: {
    summary: 'say yes to what the files of a project start and contact',
    arguments: '[folder]',
    load: async () => (await import('../cli-servers/trust.ts')).trustCommand,
  },
  login: {
    summary: 'log in to an MCP server that is reached by URL',
    arguments: '<server>',
    load: async () => (await import('../cli-servers/login.ts')).loginCommand,
  },
  logout: {
    summary: 'remove the login of an MCP server',
    arguments: '<server>',
    load: async () => (await import('../cli-servers/login.ts')).logoutCommand,
  },
  completion: {
    summary: 'print the script that completes commands in your shell',
    arguments: '<shell>',
    hasOptions: false,
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  complete: {
    arguments: '[words...]',
    hasOptions: false,
    load: async () => (await import('./completion.ts')).completeCommand,
  },
};

/** The command with its code. */
export async function loadedCommand(
  { summary, load }: KnownCommand,
  context: CommandContext,
): Promise<Command> {
  const command = (await load())(context);
  return summary === undefined ? command : command.summary(summary);
}

/** The command as the general help shows it. Nothing is loaded, and it cannot be run. */
export function listedCommand(
  name: string,
  { summary = '', arguments: names, hasOptions = true }: KnownCommand,
): Command {
  const command = new Command(name).summary(summary);
  if (names !== undefined) command.arguments(names);
  return hasOptions ? command.option('--…') : command;
}
