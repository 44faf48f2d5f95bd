import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { Command, Option } from 'commander';
import type { ChatOptions, ChatRequest } from '../chat/index.ts';
import { type CommandContext, canAsk, importOptional, withAgentFlags } from '../terminal/index.ts';

const afterHelp = `
Examples:
  toolfold chat --model anthropic/claude-sonnet-4-5
  toolfold chat -c
  toolfold chat -r 3f2a
  toolfold chat --demo
  printf 'What can you do?\\nThank you.\\n' | toolfold chat --model local/qwen3 --base-url http://127.0.0.1:11434/v1

In the chat: /help shows the commands and the keys.
Without a terminal each line of stdin is a message, the answers go to stdout, and the exit code is that of
the first turn that did not succeed; see toolfold run --help.`;

/** `toolfold chat`: a conversation on a terminal. */
export function chatCommand(context: CommandContext): Command {
  const command = withAgentFlags(
    new Command('chat')
      .description(
        'Talks to a model with the tools of your MCP servers. Everything is kept in a session, which can go on later.',
      )
      .argument('[message]', 'the first message'),
  );
  return command
    .option('-c, --continue', 'go on with the last session of this folder')
    .addOption(
      new Option(
        '-r, --resume [session]',
        'go on with the session with this id; without one, choose it from a list',
      ).conflicts('continue'),
    )
    .option('--inline', 'stay on the main screen of the terminal (default: the alternate screen)')
    .addOption(
      new Option(
        '--demo',
        'six MCP servers in a temporary folder, with a model that follows a script',
      ).conflicts(['model', 'baseUrl', 'config', 'continue', 'resume']),
    )
    .addHelpText('after', afterHelp)
    .action((message: string | undefined, options: ChatOptions) =>
      chat({ message, options }, context),
    );
}

/** The chat: on the terminal if there is one, else with each line of stdin as a message. */
async function chat(request: ChatRequest, context: CommandContext): Promise<void> {
  const { stdin, stdout } = context.streams;
  await askForTrust(request.options, context);
  // A terminal without escape sequences, such as the shell of an editor, is used like a pipe.
  if (stdin.isTTY === true && stdout.isTTY === true && process.env.TERM !== 'dumb') {
    const { onTerminal } = await import('../chat-terminal/on-terminal.ts');
    return onTerminal(request, context);
  }
  const load = () => import('../chat/in-pipe.ts');
  const { inPipe } = await importOptional('ai', 'toolfold chat', load);
  await inPipe(request, context);
}

/**
 * Asks about entries of the project's files before the screen begins, or the page. Where there is no such file, nothing is loaded
 * for that. What is read here is read again.
 */
export async function askForTrust(
  options: Pick<ChatOptions, 'demo' | 'config'>,
  context: CommandContext,
): Promise<void> {
  if (options.demo || options.config !== undefined || !canAsk(context.streams)) return;
  const { configPlaces } = await import('@toolfold/mcp/internal/clients/places.ts');
  const { env, platform } = process;
  const places = configPlaces({ cwd: process.cwd(), home: homedir(), platform, env });
  if (!places.some(({ scope, file }) => scope === 'project' && existsSync(file))) return;
  const { loadConfig, trustHost } = await import('../servers/index.ts');
  await loadConfig(undefined, { ...trustHost(context), note: () => {} });
}
