import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from '@earendil-works/pi-tui';
import { typedPath } from '../../app/content/index.ts';
import { cleanLine } from '../view/index.ts';
import { FileTree } from './file-tree.ts';

/** Most suggestions. */
const MOST = 50;
/** Most characters of a label. */
const MAX_LABEL = 200;

/** A command as it is suggested. */
export interface SuggestedCommand {
  readonly name: string;
  readonly summary: string;
  /** The values that its argument may have. */
  readonly values?: (() => Promise<readonly string[]> | readonly string[]) | undefined;
}

/** The mention that ends at the cursor: a word, or behind a quotation mark a path with spaces. */
const MENTION = /(?:^|\s)(@"[^"]*|@[^\s"]*)$/;
/** Names that can not be mentioned. */
const UNTYPABLE = /["\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

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
      if (mention !== undefined)
        return suggested(await mentionItems(mention.replace(/^@"?/, ''), folder, tree), mention);
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

/** The files and folders whose path begins so, and then those below the folder whose path is similar. */
async function mentionItems(
  typed: string,
  folder: string,
  tree: FileTree,
): Promise<AutocompleteItem[]> {
  const first = (await beginningSo(typed, folder)).map((path) => path.replace(/^\.\//, ''));
  const isElsewhere = /^([~/]|\.\.)/.test(typed) || isAbsolute(typed);
  if (isElsewhere || /(^|\/|^\.)$/.test(typed)) return first.map(itemOf);
  const sought = typed.replace(/^\.\//, '');
  const known = (await tree.paths()).filter(
    (path) => !UNTYPABLE.test(path) && (sought.startsWith('.') || !/(^|\/)\./.test(path)),
  );
  const byName = fuzzyFilter(known, sought, (path) => basename(path));
  const byPath = fuzzyFilter(known, sought, (path) => path);
  return [...new Set([...first, ...byName, ...byPath])].slice(0, MOST).map(itemOf);
}

function itemOf(path: string): AutocompleteItem {
  // What is inside of a folder is typed behind it, before the second quotation mark.
  const end = path.endsWith('/') ? '' : '"';
  const value = /\s/.test(path) ? `@"${path}${end}` : `@${path}`;
  return { value, label: cleanLine(path, MAX_LABEL) };
}

/** The paths of files and folders that begin so. */
async function beginningSo(typed: string, folder: string): Promise<string[]> {
  const isFolder = typed === '' || typed.endsWith('/');
  const parent = isFolder ? typed : dirname(typed);
  const name = isFolder ? '' : basename(typed);
  const entries = await readdir(typedPath(folder, parent), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.name.startsWith(name) && !UNTYPABLE.test(entry.name))
    .filter((entry) => name !== '' || !entry.name.startsWith('.'))
    .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const path = `${parent === '.' && !typed.startsWith('.') ? '' : join(parent, '/')}${entry.name}`;
      return `${isFolder && typed === '' ? entry.name : path}${entry.isDirectory() ? '/' : ''}`;
    });
}
