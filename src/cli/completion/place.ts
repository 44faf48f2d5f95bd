import type { CommandRow, CommandTable, OptionRow, WordKind } from './command-table.ts';

/** A word that can stand at a place, with its description. */
export type Candidate = readonly [word: string, description: string];

/** What is completed. */
export interface Place {
  /** What can stand there: a kind of word, or the words themselves. */
  readonly kind: WordKind | readonly Candidate[];
  /** The part of the last word that is completed. */
  readonly part: string;
  /** What stands before it in the same word, such as `--role=`. */
  readonly prefix: string;
}

/** What the last of the words can be. The words follow the name of the program. */
export function placeOf(words: readonly string[], table: CommandTable): Place {
  return placeAmong(table, words.slice(0, -1), words.at(-1) ?? '');
}

function placeAmong(
  { options, commands }: Pick<CommandTable, 'options' | 'commands'>,
  before: readonly string[],
  last: string,
): Place {
  const at = before.findIndex((word) => !word.startsWith('-'));
  const here = (kind: Place['kind']): Place => ({ kind, part: last, prefix: '' });
  if (at < 0) return here(last.startsWith('-') ? optionWords(options) : commandWords(commands));
  const command = commands.find(({ name }) => name === before[at]);
  if (command === undefined) return here('none');
  const behind = before.slice(at + 1);
  if (command.commands === undefined) return placeIn(command, behind, last);
  return placeAmong({ options: command.options, commands: command.commands }, behind, last);
}

export function commandWords(commands: readonly CommandRow[]): Candidate[] {
  return commands.map(({ name, description }) => [name, description]);
}

function optionWords(options: readonly OptionRow[]): Candidate[] {
  return options.flatMap(({ names, description }) =>
    names.map((name): Candidate => [name, description]),
  );
}

function placeIn(command: CommandRow, before: readonly string[], last: string): Place {
  let open: OptionRow | undefined;
  let count = 0;
  let isOver = false;
  const used = new Set<string>();
  for (const word of before) {
    if (isOver || !/^-./.test(word)) {
      if (open === undefined) count += 1;
      else if (!open.isVariadic) open = undefined;
      continue;
    }
    isOver = word === '--';
    const [name = ''] = word.split('=', 1);
    const option = optionNamed(command, name);
    for (const other of option?.names ?? []) used.add(other);
    open = option?.value === undefined || word.includes('=') ? undefined : option;
  }
  const whole = { part: last, prefix: '' };
  const equals = last.indexOf('=');
  if (!isOver && last.startsWith('--') && equals > 0) {
    const kind = optionNamed(command, last.slice(0, equals))?.value ?? 'none';
    return { kind, part: last.slice(equals + 1), prefix: last.slice(0, equals + 1) };
  }
  const isOption = !isOver && last.startsWith('-');
  if (open?.value !== undefined && !(open.isVariadic && isOption))
    return { kind: open.value, ...whole };
  const options = command.options.filter(
    ({ names, isVariadic }) => isVariadic || !names.some((name) => used.has(name)),
  );
  if (isOption) return { kind: optionWords(options), ...whole };
  const argument = command.arguments[count] ?? (command.isVariadic && command.arguments.at(-1));
  if (argument) return { kind: argument, ...whole };
  return { kind: last === '' && !isOver ? optionWords(options) : 'none', ...whole };
}

function optionNamed({ options }: CommandRow, name: string): OptionRow | undefined {
  return options.find(({ names }) => names.includes(name));
}
