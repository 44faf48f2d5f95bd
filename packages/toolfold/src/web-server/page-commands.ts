import { strategyNames } from '@toolfold/core/internal/tool';
import { FileTree, mentions } from '../shown/index.ts';
import type { WireCommand } from '../web-wire/index.ts';
import { refused } from './requests.ts';
import type { WebSession } from './web-session.ts';

/** What completes a text of the message box. */
interface Completion {
  readonly value: string;
  readonly description?: string;
}

/** A command behind a slash. The others of the chat have a place of their own on the page. */
interface PageCommand {
  readonly summary: string;
  /** Whether it is one without an argument. */
  readonly isBare?: true;
  /** The values that its argument may have. */
  readonly values?: (session: WebSession) => readonly string[];
  readonly command: (argument: string, id: string) => WireCommand;
}

/** How a user says that there is no role. */
const NO_ROLE = 'none';

/** By their names, which are those of the chat. */
const COMMANDS: Readonly<Record<string, PageCommand>> = {
  after: {
    summary: 'send a message when the turn has ended',
    command: (text, id) => ({ type: 'say', id, text, when: 'after' }),
  },
  compact: {
    summary: 'replace the earlier part of the conversation by a summary',
    isBare: true,
    command: (_, id) => ({ type: 'compact', id }),
  },
  continue: {
    summary: 'go on with a turn that failed, was cancelled or was interrupted',
    isBare: true,
    command: (_, id) => ({ type: 'continue', id }),
  },
  model: {
    summary: 'choose the model',
    values: ({ opened: { set } }) => [...Object.keys(set.models), ...set.directory.foundNames],
    command: (model) => ({ type: 'choose', model }),
  },
  quick: {
    summary: 'ask a question without tools; it does not become part of the conversation',
    command: (text, id) => ({ type: 'quick', id, text, withConversation: false }),
  },
  rename: {
    summary: 'give the session another title',
    command: (title) => ({ type: 'rename', title }),
  },
  role: {
    summary: 'choose a role',
    values: ({ opened: { set } }) => [NO_ROLE, ...Object.keys(set.roles)],
    command: (role) => ({ type: 'choose', role: role === NO_ROLE ? null : role }),
  },
  strategy: {
    summary: 'choose how tools are sent',
    values: () => strategyNames,
    command: (strategy) => ({ type: 'choose', strategy }),
  },
};

/**
 * The command that a message is. Undefined for another message, such as one that begins with a path. Throws `empty` for a
 * command without its argument.
 */
export function commandIn(text: string, id: string): WireCommand | undefined {
  const [, name = '', argument = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (known && !known.isBare && argument === '')
    throw refused('empty', `/${name} needs something behind it.`, `Write it behind /${name}.`);
  return known?.command(argument, id);
}

/** What completes `@` and the beginning of a path, or `/` and the beginning of a command or its argument. */
export async function completionsOf(
  session: WebSession,
  text: string,
): Promise<readonly Completion[]> {
  const { keys } = session.host;
  if (text.startsWith('@')) {
    const { folder } = session.place;
    session.tree ??= new FileTree(folder);
    const found = await mentions(text, folder, session.tree);
    return found.map(({ value }) => ({ value: keys.hide(value) }));
  }
  const parts = /^\/([a-z]*)(?: (.*))?$/.exec(text);
  if (!parts) return [];
  const [, name = '', typed] = parts;
  if (typed === undefined)
    return Object.entries(COMMANDS)
      .filter(([known]) => known.startsWith(name))
      .map(([known, { summary }]) => ({ value: `/${known}`, description: summary }));
  const values = Object.hasOwn(COMMANDS, name) ? (COMMANDS[name]?.values?.(session) ?? []) : [];
  return values
    .filter((value) => value.includes(typed) && value !== typed)
    .map((value) => ({ value: keys.hide(`/${name} ${value}`) }));
}
