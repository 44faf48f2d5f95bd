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
  /** Whether it takes several values. */
  readonly isVariadic?: true;
}

/** A command with what can stand behind it. */
export interface CommandRow {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionRow[];
  /** The kinds of its arguments. */
  readonly arguments: readonly WordKind[];
  /** Whether the last argument may be repeated. */
  readonly isVariadic?: true;
  /** The commands below it. */
  readonly commands?: readonly CommandRow[];
}

/** All that completions need to know about the command line, as JSON. */
export interface CommandTable {
  readonly version: string;
  readonly options: readonly OptionRow[];
  readonly commands: readonly CommandRow[];
}

/** Options and arguments whose values are known at run time. */
const namedAtRunTime: Readonly<Record<string, WordKind>> = {
  role: 'roles',
  server: 'servers',
  session: 'sessions',
  tool: 'tools',
};
const placeholderKinds: Readonly<Record<string, WordKind>> = {
  ...namedAtRunTime,
  file: 'files',
  dir: 'folders',
  command: 'commands',
};
/** The first argument of commands, whatever its placeholder is. */
const firstArguments: Readonly<Record<string, WordKind>> = {
  call: 'tools',
  list: 'servers',
  login: 'servers',
  logout: 'servers',
};

/** What a word behind this option or command is, if no table is needed to say so. */
export function kindBehind(word: string): WordKind | undefined {
  const isOption = word.startsWith('--');
  const kinds = isOption ? namedAtRunTime : firstArguments;
  const name = isOption ? word.slice(2) : word;
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

/** The table of a program. Hidden commands and options are left out. */
export function commandTable(program: Command, version: string): CommandTable {
  const help = program.createHelp();
  return {
    version,
    options: help.visibleOptions(program).map(optionRow),
    commands: commandRows(program),
  };
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
  const value = option.argChoices ?? kindBehind(option.long ?? '') ?? kindNamed(placeholder);
  return { ...row, value, ...(option.variadic ? { isVariadic: true } : {}) };
}

function argumentsOf(command: Command): Pick<CommandRow, 'arguments' | 'isVariadic'> {
  const kinds = command.registeredArguments.map((argument, index): WordKind => {
    const first = index === 0 ? kindBehind(command.name()) : undefined;
    return argument.argChoices ?? first ?? kindNamed(argument.name());
  });
  const isVariadic = command.registeredArguments.at(-1)?.variadic === true;
  return { arguments: kinds, ...(isVariadic ? { isVariadic } : {}) };
}

function kindNamed(placeholder: string): WordKind {
  const known = Object.hasOwn(placeholderKinds, placeholder);
  return known ? (placeholderKinds[placeholder] ?? 'none') : 'none';
}
