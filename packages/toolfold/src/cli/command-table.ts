import type { Command } from 'commander';

/** A word that can stand at a place, with its description. */
export type Completion = readonly [word: string, description: string];

/**
 * What can stand at a place of the command line: words, or what is looked up when it is completed. No words: any text,
 * which cannot be completed.
 */
export type WordKind =
  | 'files'
  | 'folders'
  | 'commands'
  | 'servers'
  | 'roles'
  | 'tools'
  | 'sessions'
  | readonly Completion[];

/** An option of a command. */
export interface OptionRow {
  /** Its names, such as `--limit` and `-k`. */
  readonly names: readonly string[];
  readonly description: string;
  /** What its value is, if it has one. */
  readonly value?: WordKind;
  readonly isVariadic?: true;
}

/** A command with what can stand behind it. */
export interface CommandRow {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionRow[];
  readonly arguments: readonly WordKind[];
  /** Whether the last argument may be repeated. */
  readonly isVariadic?: true;
  readonly commands?: readonly CommandRow[];
}

/** All that completions need to know about the command line, as JSON. */
export interface CommandTable extends CommandRow {
  readonly version: string;
  /** The names of the built-in roles. */
  readonly roles: readonly string[];
}

/** What stands in place of a placeholder, or behind an option of this name. */
const KINDS: Readonly<Record<string, WordKind>> = {
  role: 'roles',
  server: 'servers',
  session: 'sessions',
  tool: 'tools',
  file: 'files',
  dir: 'folders',
  folder: 'folders',
};
/** The first argument of commands, whatever its placeholder is. */
const firstArguments: Readonly<Record<string, WordKind>> = {
  call: 'tools',
  help: 'commands',
  list: 'servers',
  login: 'servers',
  logout: 'servers',
};

/** The row of a command, with those of the commands below it. Hidden commands and options are left out. */
export function commandRow(command: Command): CommandRow {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.summary() || command.description(),
    options: help.visibleOptions(command).map(optionRow),
    ...argumentsOf(command),
    ...(command.commands.length > 0
      ? { commands: help.visibleCommands(command).map(commandRow) }
      : {}),
  };
}

function optionRow(option: Command['options'][number]): OptionRow {
  const names = [option.long, option.short].filter((name) => name !== undefined);
  const row = { names, description: option.description };
  if (!option.required && !option.optional) return row;
  const placeholder = /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '';
  const named = KINDS[(option.long ?? '').slice(2)] ?? KINDS[placeholder] ?? [];
  const value = option.argChoices?.map(plainWord) ?? named;
  return { ...row, value, ...(option.variadic ? { isVariadic: true } : {}) };
}

function argumentsOf(command: Command): Pick<CommandRow, 'arguments' | 'isVariadic'> {
  const kinds = command.registeredArguments.map((argument, index): WordKind => {
    const first = index === 0 ? firstArguments[command.name()] : undefined;
    return argument.argChoices?.map(plainWord) ?? first ?? KINDS[argument.name()] ?? [];
  });
  const isVariadic = command.registeredArguments.at(-1)?.variadic === true;
  return { arguments: kinds, ...(isVariadic ? { isVariadic } : {}) };
}

function plainWord(word: string): Completion {
  return [word, ''];
}
