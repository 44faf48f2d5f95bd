import { nextOf } from '../shown/index.ts';
import type { Chat } from './open-chat.ts';
import type { Shell } from './shell.ts';

/** An item to choose. */
export interface MenuItem {
  readonly value: string;
  /** The value, if left out. */
  readonly label?: string;
  readonly description?: string;
}

/** What a command may do, on a terminal and in a pipe. */
export interface CommandUi {
  readonly host: Chat;
  /** Shows lines. They are cleaned where they are shown. */
  show(lines: readonly string[]): void;
  /** Lets the user choose. Undefined if there is or was nothing to choose. Without it, nobody can be asked. */
  readonly pick?:
    | ((title: string, items: readonly MenuItem[]) => Promise<string | undefined>)
    | undefined;
  /** Aborts when the user cancels the command, or the chat ends. */
  readonly signal: AbortSignal;
  quit(): void;
  /** The user's shell. Left out where none is offered. */
  readonly shell?: Shell | undefined;
}

/** A command of the chat, typed as `/name argument`. */
export interface ChatCommand {
  readonly name: string;
  /** Its argument in the help, such as `[query]`. */
  readonly hint?: string;
  readonly summary: string;
  /** The values that its argument may have, for suggestions. */
  readonly values?: (host: Chat) => readonly string[];
  run(ui: CommandUi, argument: string): Promise<void> | void;
}

/** What the next request holds, in one line, as the status line says it. */
export async function nextLine({
  talk,
  settings,
  setUp,
  modelName: model,
  fold,
}: Chat): Promise<string> {
  const { session, view } = talk;
  const sources = { turns: view.turns, session, settings, roles: setUp.roles, model };
  return (await nextOf({ ...sources, fold: fold() })).line;
}
