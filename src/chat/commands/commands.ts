import { ToolfoldError } from '../../errors.ts';
import { nearNames } from '../../tools/names/near/index.ts';
import type { ChatCommand, CommandUi } from './command.ts';
import { context, cost } from './context.ts';
import { logIn } from './login.ts';
import { begin, exporting, fork, resume, sessions, tree } from './sessions.ts';
import { model, role, routing, strategy } from './settings.ts';
import { compact, goOn, help, quick, quit } from './talk.ts';
import { tools } from './tools.ts';

/** In the order of the help. */
export const COMMANDS: readonly ChatCommand[] = [
  ...[tools, logIn, context, cost, role, model, routing, strategy],
  ...[quick, goOn, compact, sessions, resume, begin, fork, tree, exporting, help, quit],
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
    const [similar] = nearNames(
      name,
      COMMANDS.map((one) => one.name),
      1,
    );
    throw new ToolfoldError(
      'invalid-option',
      `There is no command /${name}.`,
      similar === undefined ? '/help shows the commands.' : `Did you mean /${similar}?`,
    );
  }
  await command.run(ui, argument.trim());
}
