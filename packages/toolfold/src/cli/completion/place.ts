import type { Candidate, CommandRow, OptionRow, WordKind } from './command-table.ts';

/** What is completed. */
export interface Place {
  readonly kind: WordKind;
  /** The part of the last word that is completed. */
  readonly part: string;
  /** What stands before it in the same word, such as `--role=`. */
  readonly prefix: string;
}

/** What the last of the words can be. The words follow the name of the command. */
export function placeOf(words: readonly string[], command: CommandRow): Place {
  const { commands, options } = command;
  const [before, last = ''] = [words.slice(0, -1), words.at(-1)];
  if (commands === undefined) return placeIn(command, before, last);
  const at = before.findIndex((word) => !word.startsWith('-'));
  const below = commands.find(({ name }) => name === before[at]);
  if (below) return placeOf(words.slice(at + 1), below);
  const kind = last.startsWith('-') ? optionWords(options) : commandWords(commands);
  return { kind: at < 0 ? kind : [], part: last, prefix: '' };
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
    const kind = optionNamed(command, last.slice(0, equals))?.value ?? [];
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
  return { kind: last === '' && !isOver ? optionWords(options) : [], ...whole };
}

function optionNamed({ options }: CommandRow, name: string): OptionRow | undefined {
  return options.find(({ names }) => names.includes(name));
}
