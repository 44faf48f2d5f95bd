import { nearNames } from '@toolfold/core/internal/near-names.ts';
import { usageError } from '../terminal/index.ts';
import type { ChatCommand, CommandUi } from './command.ts';
import { begin, exporting, fork, rename, resume, sessions, tree } from './sessions.ts';
import { context, cost, model, role, routing, strategy } from './settings.ts';
import { add, after, compact, goOn, quick, quit } from './talk.ts';
import { logIn, tools } from './tools.ts';

const KEYS: readonly Pick<ChatCommand, 'name' | 'summary'>[] = [
  { name: 'Enter, Alt-Enter', summary: 'send the message; begin a new line' },
  { name: '@file', summary: 'attach a file: parts of its path find it' },
  { name: '!command', summary: 'run it in your shell; the model sees nothing of it' },
  { name: 'Ctrl-R, Ctrl-G, Ctrl-O', summary: 'search what you wrote; $EDITOR; open the cards' },
  { name: 'PageUp, Home, End', summary: 'scroll, as PageDown; Ctrl-Shift-F searches' },
  { name: 'drag the mouse', summary: 'copy; with Shift (Mac: Option) select as usual' },
  { name: 'Esc, Ctrl-C', summary: 'cancel the turn; Ctrl-D ends the chat' },
];

/** `/help`. */
const help: ChatCommand = {
  name: 'help',
  summary: 'show the commands and the keys',
  run({ show, pick }) {
    const named = COMMANDS.map(({ name, hint, summary }) => ({
      name: `/${name}${hint === undefined ? '' : ` ${hint}`}`,
      summary,
    }));
    // In a pipe there are no keys.
    const keys = pick ? [{ name: '', summary: '' }, ...KEYS] : [];
    const rows = [...named, ...keys];
    const width = Math.max(...rows.map(({ name }) => name.length));
    show(rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`.trimEnd()));
  },
};

/** In the order of the help. */
export const COMMANDS: readonly ChatCommand[] = [
  ...[tools, logIn, context, cost, role, model, routing, strategy],
  ...[
    after,
    add,
    quick,
    goOn,
    compact,
    sessions,
    resume,
    begin,
    rename,
    fork,
    tree,
    exporting,
    help,
    quit,
  ],
];

/** Whether a message is a command. A path such as `/etc/hosts` is not. */
export function isCommand(message: string): boolean {
  return /^\/[a-z]*(\s|$)/.test(message);
}

/** Runs a command. Rejects with `invalid-option` for an unknown one, and with the errors of the command. */
export async function runCommand(ui: CommandUi, message: string): Promise<void> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(message) ?? [];
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    const names = COMMANDS.map((one) => one.name);
    const [similar] = nearNames(name, names, 1);
    const next = similar === undefined ? '/help shows the commands.' : `Did you mean /${similar}?`;
    throw usageError(`There is no command /${name}.`, next);
  }
  await command.run(ui, argument.trim());
}
