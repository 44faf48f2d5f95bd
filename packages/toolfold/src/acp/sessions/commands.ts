import type { AvailableCommand } from '@agentclientprotocol/sdk';

/** What the user says about a call whose outcome is unknown. */
export interface Decision {
  readonly name: 'again' | 'happened';
  /** The id of the call. */
  readonly id: string;
}

/** What a prompt can ask of the agent itself. */
export type SessionCommand =
  | { readonly name: 'continue' | 'compact' | 'context' | 'fork' }
  | { readonly name: 'rename'; readonly title: string }
  | Decision;

/** The commands that an editor offers. */
export const COMMANDS: readonly (AvailableCommand & { readonly name: SessionCommand['name'] })[] = [
  {
    name: 'continue',
    description: 'Go on with a turn that was cancelled, failed or interrupted',
  },
  {
    name: 'compact',
    description: 'Replace the earlier part of the conversation by a summary',
  },
  {
    name: 'context',
    description: 'Say how many tokens of tools the next request will hold',
  },
  {
    name: 'fork',
    description: 'Put a copy of this session into the list of sessions',
  },
  {
    name: 'rename',
    description: 'Give this session another title',
    input: { hint: 'The title' },
  },
  {
    name: 'again',
    description: 'Run an interrupted call again whose outcome is unknown',
    input: { hint: 'ID of the call' },
  },
  {
    name: 'happened',
    description: 'Say that an interrupted call has taken effect',
    input: { hint: 'ID of the call' },
  },
];

/** The command that a prompt consists of. Undefined for any other text. */
export function commandIn(text: string): SessionCommand | undefined {
  const [, name, rest = ''] = /^\/(\w+)(?:\s+(.*))?$/.exec(text.trim()) ?? [];
  switch (name) {
    case 'rename':
      return { name, title: rest };
    case 'again':
    case 'happened':
      return /\s/.test(rest) ? undefined : { name, id: rest };
    case 'continue':
    case 'compact':
    case 'context':
    case 'fork':
      return rest === '' ? { name } : undefined;
    default:
      return;
  }
}
