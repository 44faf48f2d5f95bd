import type { AgentFlags } from '../app/agents/flags/index.ts';
import { type CommandContext, importOptional } from '../app/terminal/index.ts';

/** The agent for an editor on stdin and stdout. Its packages are loaded now. */
export async function acp(flags: AgentFlags, context: CommandContext): Promise<void> {
  const sdk = '@agentclientprotocol/sdk';
  await importOptional(sdk, 'toolfold acp', () => import('@agentclientprotocol/sdk'));
  const { serve } = await importOptional('ai', 'toolfold acp', () => import('./serve.ts'));
  await serve(flags, context);
}
