import type { Command } from 'commander';

/** What can stand at a place of the command line. `none`: any text, which cannot be completed. */
export type WordKind =
  | 'none'
  | 'files'
  | 'folders'
  | 'commands'
  | 'servers'
  | 'roles'
  | 'tools'
  | 'sessions'
  | readonly string[];

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
export interface CommandTable {
  readonly version: string;
  readonly options: readonly OptionRow[];
  readonly commands: readonly CommandRow[];
}

/** What stands in place of a placeholder, or behind an option of this name. */
const KINDS: Readonly<Record<string, WordKind>> = {
  role: 'roles',
  server: 'servers',
  session: 'sessions',
  tool: 'tools',
  file: 'files',
  dir: 'folders',
};
/** The first argument of commands, whatever its placeholder is. */
const firstArguments: Readonly<Record<string, WordKind>> = {
  call: 'tools',
  help: 'commands',
  list: 'servers',
  login: 'servers',
  logout: 'servers',
};

/** The table of a program. Hidden commands and options are left out. */
export function commandTable(program: Command, version: string): CommandTable {
  const options = program.createHelp().visibleOptions(program).map(optionRow);
  return { version, options, commands: commandRows(program) };
}

function commandRows(parent: Command): readonly CommandRow[] {
  const help = parent.createHelp();
  return help.visibleCommands(parent).map((command) => ({
    name: command.name(),
    description: command.summary() || command.description(),
    options: help.visibleOptions(command).map(optionRow),
    ...argumentsOf(command),
    ...(command.commands.length > 0 ? { commands: commandRows(command) } : {}),
  }));
}

function optionRow(option: Command['options'][number]): OptionRow {
  const names = [option.long, option.short].filter((name) => name !== undefined);
  const row = { names, description: option.description };
  if (!option.required && !option.optional) return row;
  const placeholder = /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '';
  const named = KINDS[(option.long ?? '').slice(2)] ?? KINDS[placeholder] ?? 'none';
  const value = option.argChoices ?? named;
  return { ...row, value, ...(option.variadic ? { isVariadic: true } : {}) };
}

function argumentsOf(command: Command): Pick<CommandRow, 'arguments' | 'isVariadic'> {
  const kinds = command.registeredArguments.map((argument, index): WordKind => {
    const first = index === 0 ? firstArguments[command.name()] : undefined;
    return argument.argChoices ?? first ?? KINDS[argument.name()] ?? 'none';
  });
  const isVariadic = command.registeredArguments.at(-1)?.variadic === true;
  return { arguments: kinds, ...(isVariadic ? { isVariadic } : {}) };
}
