import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';
import { readText, typedPath } from '../terminal/index.ts';

/** Most files and folders that complete a mention. */
const MOST = 50;
/** Names that can not be mentioned. */
const UNTYPABLE = /["\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/** A file or a folder, and how it is mentioned in a message. */
export interface Mention {
  readonly path: string;
  readonly value: string;
}

/**
 * What completes the mention of a file, such as `@src/a` and `@"my `: the files and folders whose path begins so, and then
 * those below the folder whose path is similar. `tree` is that of the folder.
 */
export async function mentions(
  mention: string,
  folder: string,
  tree: FileTree,
): Promise<readonly Mention[]> {
  const { fuzzyFilter } = await import('@earendil-works/pi-tui');
  const typed = mention.replace(/^@"?/, '');
  const first = (await beginningSo(typed, folder)).map((path) => path.replace(/^\.\//, ''));
  const isElsewhere = /^([~/]|\.\.)/.test(typed) || isAbsolute(typed);
  if (isElsewhere || /(^|\/|^\.)$/.test(typed)) return first.slice(0, MOST).map(mentionOf);
  const sought = typed.replace(/^\.\//, '');
  const known = (await tree.paths()).filter(
    (path) => !UNTYPABLE.test(path) && (sought.startsWith('.') || !/(^|\/)\./.test(path)),
  );
  const byName = fuzzyFilter(known, sought, (path) => basename(path));
  const byPath = fuzzyFilter(known, sought, (path) => path);
  return [...new Set([...first, ...byName, ...byPath])].slice(0, MOST).map(mentionOf);
}

function mentionOf(path: string): Mention {
  // What is inside of a folder is typed behind it, before the second quotation mark.
  const end = path.endsWith('/') ? '' : '"';
  return { path, value: /\s/.test(path) ? `@"${path}${end}` : `@${path}` };
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

/** Most files and folders of a tree, and milliseconds that reading it may take. */
const MAX_FILES = 10_000;
const TIME = 1_000;
/** Milliseconds for which a tree is not read again. */
const FRESH = 5_000;

/** Folders that nobody mentions files of. */
const NEVER: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The rules of a `.gitignore`, and the folder that they are about. */
interface IgnoreRules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/**
 * The files and folders below a folder, as paths from there, near ones first. Folders end with a slash. What
 * `.gitignore` excludes is left out. Of a very large tree, a part is known.
 */
export class FileTree {
  readonly #folder: string;
  #read: Promise<readonly string[]> | undefined;
  #readAt = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Never rejects. */
  paths(): Promise<readonly string[]> {
    if (!this.#read || performance.now() - this.#readAt > FRESH) {
      this.#readAt = performance.now();
      this.#read = readTree(this.#folder).catch(() => []);
    }
    return this.#read;
  }
}

async function readTree(root: string): Promise<readonly string[]> {
  const { default: createIgnore } = await import('ignore');
  const rulesIn = async (folder: string): Promise<IgnoreRules[]> => {
    const read = await readText(join(folder, '.gitignore'));
    return read && 'text' in read ? [{ folder, ignore: createIgnore().add(read.text) }] : [];
  };
  const paths: string[] = [];
  const end = performance.now() + TIME;
  let level: { readonly folder: string; readonly rules: readonly IgnoreRules[] }[] = [
    { folder: root, rules: await outerRules(root, rulesIn) },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { folder, rules: outer } of level) {
      if (paths.length >= MAX_FILES || performance.now() > end) return paths.slice(0, MAX_FILES);
      const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
      const rules = [...outer, ...(await rulesIn(folder))];
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const isFolder = entry.isDirectory();
        const path = join(folder, entry.name);
        if (NEVER.has(entry.name) || isIgnored(path, isFolder, rules)) continue;
        const shown = relative(root, path).replaceAll(sep, '/');
        paths.push(isFolder ? `${shown}/` : shown);
        if (isFolder) next.push({ folder: path, rules });
      }
    }
    level = next;
  }
  return paths;
}

/** The rules of the folders above, up to the root of the repository. None outside of a repository. */
async function outerRules(
  folder: string,
  rulesIn: (folder: string) => Promise<IgnoreRules[]>,
): Promise<readonly IgnoreRules[]> {
  const rules: IgnoreRules[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) rules.unshift(...(await rulesIn(at)));
    const entries = await readdir(at).catch((): string[] => []);
    if (entries.includes('.git')) return rules;
    if (dirname(at) === at) return [];
  }
}

/** What a deeper file says overrides what those above say. */
function isIgnored(path: string, isFolder: boolean, rules: readonly IgnoreRules[]): boolean {
  let isOut = false;
  for (const { folder, ignore } of rules) {
    const { ignored, unignored } = ignore.test(
      `${relative(folder, path).replaceAll(sep, '/')}${isFolder ? '/' : ''}`,
    );
    if (ignored || unignored) isOut = ignored;
  }
  return isOut;
}
