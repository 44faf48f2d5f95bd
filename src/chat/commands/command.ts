import type { Chat } from '../opened/index.ts';

/** An item to choose. */
export interface Item {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** What a command may do, on a terminal and in a pipe. */
export interface CommandUi {
  readonly host: Chat;
  /** Shows lines. They are cleaned where they are shown. */
  show(lines: readonly string[]): void;
  /** Whether somebody can choose. */
  readonly canPick: boolean;
  /** Lets the user choose. Undefined if nothing is chosen, or nobody can be asked. */
  pick(title: string, items: readonly Item[]): Promise<string | undefined>;
  /** Aborts when the user cancels the command, or the chat ends. */
  readonly signal: AbortSignal;
  quit(): void;
}

/** Lets the user choose one of some values. Undefined if there are none, none is chosen, or nobody can be asked. */
export async function picked(
  { pick }: Pick<CommandUi, 'pick'>,
  title: string,
  values: readonly Omit<Item, 'label'>[],
): Promise<string | undefined> {
  if (values.length === 0) return;
  return pick(
    title,
    values.map((item) => ({ ...item, label: item.value })),
  );
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
