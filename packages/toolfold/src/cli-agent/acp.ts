import { Command } from 'commander';
import {
  type AgentFlags,
  type CommandContext,
  importOptional,
  withAgentFlags,
} from '../terminal/index.ts';

const afterHelp = `
An editor starts this command and speaks the Agent Client Protocol, version 1, with it.
stdout carries messages of the protocol only. Everything else goes to stderr.

Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, or TOOLFOLD_API_KEY for any provider.

Exit codes:
  0         the editor has closed stdin
  1         the file of sessions cannot be opened, or a message was too large
  2         wrong use or configuration
  130, 143  stopped by Ctrl-C or by SIGTERM
  129, 131  stopped by SIGHUP or by SIGQUIT`;

/** `toolfold acp`: the agent for editors. */
export function acpCommand(context: CommandContext): Command {
  return withAgentFlags(
    new Command('acp').description(
      'Speaks the Agent Client Protocol with an editor, on stdin and stdout.',
    ),
  )
    .addHelpText('after', afterHelp)
    .action((flags: AgentFlags) => acp(flags, context));
}

/** The agent for an editor on stdin and stdout. Its packages are loaded now. */
async function acp(flags: AgentFlags, context: CommandContext): Promise<void> {
  const sdk = '@agentclientprotocol/sdk';
  await importOptional(sdk, 'toolfold acp', () => import('@agentclientprotocol/sdk'));
  const { serve } = await importOptional('ai', 'toolfold acp', () => import('../acp/serve.ts'));
  await serve(flags, context);
}
