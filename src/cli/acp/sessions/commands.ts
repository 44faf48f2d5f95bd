import type { AvailableCommand } from '@agentclientprotocol/sdk';

/** What a prompt can ask of the agent itself. */
export type SessionCommand = 'continue' | 'compact';

/** The commands that an editor offers. */
export const COMMANDS: readonly (AvailableCommand & { readonly name: SessionCommand })[] = [
  {
    name: 'continue',
    description: 'Go on with a turn that was cancelled, failed or interrupted',
  },
  {
    name: 'compact',
    description: 'Replace the earlier part of the conversation by a summary',
  },
];

/** The command that a prompt consists of. Undefined for any other text. */
export function commandIn(text: string): SessionCommand | undefined {
  return COMMANDS.find(({ name }) => text.trim() === `/${name}`)?.name;
}
