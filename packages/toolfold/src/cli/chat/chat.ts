import { Command, Option } from 'commander';
import { withAgentFlags } from '../../app/agents/flags/index.ts';
import type { CommandContext } from '../../app/terminal/index.ts';
import { type ChatOptions, chat } from '../../chat/index.ts';

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
