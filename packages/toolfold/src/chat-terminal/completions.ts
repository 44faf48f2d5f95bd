import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from '@earendil-works/pi-tui';
import { cleanLine } from '../chat-view/index.ts';
import { FileTree, mentions } from '../shown/index.ts';

/** Most suggestions. */
const MOST = 50;
/** Most characters of a label. */
const MAX_LABEL = 200;

/** A command as it is suggested. */
interface SuggestedCommand {
  readonly name: string;
  readonly summary: string;
  /** The values that its argument may have. */
  readonly values?: (() => Promise<readonly string[]> | readonly string[]) | undefined;
}

/** The mention that ends at the cursor: a word, or behind a quotation mark a path with spaces. */
const MENTION = /(?:^|\s)(@"[^"]*|@[^\s"]*)$/;
/** Suggests commands behind `/` at the beginning of a message, and files behind `@`. */
export function completions(
  commands: readonly SuggestedCommand[],
  folder: string,
): AutocompleteProvider {
  const tree = new FileTree(folder);
  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, line, column): Promise<AutocompleteSuggestions | null> {
      const before = (lines[line] ?? '').slice(0, column);
      const mention = MENTION.exec(before)?.[1];
      if (mention !== undefined) {
        const found = await mentions(mention, folder, tree);
        return suggested(
          found.map(({ path, value }) => ({ value, label: cleanLine(path, MAX_LABEL) })),
          mention,
        );
      }
      if (line > 0 || !before.startsWith('/')) return null;
      const argument = before.slice(before.indexOf(' ') + 1);
      return suggested(await commandItems(before, commands), argument);
    },
    applyCompletion(lines, line, column, { value }, prefix) {
      const text = lines[line] ?? '';
      const start = column - prefix.length;
      const gap = value.endsWith('/') ? '' : ' ';
      const changed = `${text.slice(0, start)}${value}${gap}${text.slice(column).trimStart()}`;
      return {
        lines: lines.with(line, changed),
        cursorLine: line,
        cursorCol: start + value.length + gap.length,
      };
    },
  };
}

function suggested(
  items: readonly AutocompleteItem[],
  prefix: string,
): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items: items.slice(0, MOST), prefix };
}

async function commandItems(
  before: string,
  commands: readonly SuggestedCommand[],
): Promise<AutocompleteItem[]> {
  const space = before.indexOf(' ');
  if (space < 0)
    return fuzzyFilter([...commands], before.slice(1), ({ name }) => name).map(
      ({ name, summary }) => ({ value: `/${name}`, label: `/${name}`, description: summary }),
    );
  const command = commands.find(({ name }) => name === before.slice(1, space));
  const values = (await command?.values?.()) ?? [];
  const typed = before.slice(space + 1);
  // What is typed in full is sent with Enter, and needs no choice.
  if (values.includes(typed)) return [];
  return fuzzyFilter([...values], typed, (value) => value).map((value) => ({
    value,
    label: cleanLine(value, MAX_LABEL),
  }));
}
