import { Command } from 'commander';
import type { CommandContext } from '../app/terminal/index.ts';

/** A command: what the general help says of it, and how its code is loaded. */
export interface KnownCommand {
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
    load: async () => (await import('./init/init.ts')).initCommand,
  },
  list: {
    summary: 'list your MCP servers and their tools',
    arguments: '[query...]',
    load: async () => (await import('./list/list.ts')).listCommand,
  },
  call: {
    summary: 'call one tool of your MCP servers',
    arguments: '<tool> [arguments...]',
    load: async () => (await import('./call/call.ts')).callCommand,
  },
  inspect: {
    summary: 'show what your MCP tools cost, and what each strategy saves',
    load: async () => (await import('./inspect/inspect.ts')).inspectCommand,
  },
  search: {
    summary: 'find tools by what they are for',
    arguments: '[query...]',
    load: async () => (await import('./search/search.ts')).searchCommand,
  },
  run: {
    summary: 'answer one prompt with the tools of your MCP servers',
    arguments: '[prompt]',
    load: async () => (await import('./run/run.ts')).runCommand,
  },
  chat: {
    summary: 'talk to a model with the tools of your MCP servers',
    arguments: '[message]',
    load: async () => (await import('./chat/chat.ts')).chatCommand,
  },
  acp: {
    summary: 'the agent for editors that speak the Agent Client Protocol',
    load: async () => (await import('./acp/acp.ts')).acpCommand,
  },
  serve: {
    summary: 'one MCP server in front of all of yours, for any MCP client',
    load: async () => (await import('./serve/serve.ts')).serveCommand,
  },
  sessions: {
    summary: 'list, show, export, import, remove and check sessions',
    hasOptions: false,
    load: async () => (await import('./sessions/sessions.ts')).sessionsCommand,
  },
  audit: {
    summary: 'find where recorded requests broke the prompt-cache prefix',
    arguments: '<file>',
    load: async () => (await import('./audit/audit.ts')).auditCommand,
  },
  trust: {
    summary: 'say yes to what the files of a project start and contact',
    arguments: '[folder]',
    load: async () => (await import('./trust/trust.ts')).trustCommand,
  },
  login: {
    summary: 'log in to an MCP server that is reached by URL',
    arguments: '<server>',
    load: async () => (await import('./login/login.ts')).loginCommand,
  },
  logout: {
    summary: 'remove the login of an MCP server',
    arguments: '<server>',
    load: async () => (await import('./login/logout.ts')).logoutCommand,
  },
  completion: {
    summary: 'print the script that completes commands in your shell',
    arguments: '<shell>',
    hasOptions: false,
    load: async () => (await import('./completion/completion.ts')).completionCommand,
  },
  complete: {
    arguments: '[words...]',
    hasOptions: false,
    load: async () => (await import('./completion/completion.ts')).completeCommand,
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
