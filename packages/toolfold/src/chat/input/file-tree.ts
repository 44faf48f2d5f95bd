import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';

/** Most files and folders of a tree, and milliseconds that reading it may take. */
const MOST = 10_000;
const TIME = 1_000;
/** Milliseconds for which a tree is not read again. */
const FRESH = 5_000;

/** Folders that nobody mentions files of. */
const NEVER: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The rules of a `.gitignore`, and the folder that they are about. */
interface Rules {
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
  const rulesIn = async (folder: string): Promise<Rules[]> => {
    const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '');
    return text === '' ? [] : [{ folder, ignore: createIgnore().add(text) }];
  };
  const paths: string[] = [];
  const end = performance.now() + TIME;
  let level: { readonly folder: string; readonly rules: readonly Rules[] }[] = [
    { folder: root, rules: await outerRules(root, rulesIn) },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { folder, rules: outer } of level) {
      if (paths.length >= MOST || performance.now() > end) return paths.slice(0, MOST);
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
  rulesIn: (folder: string) => Promise<Rules[]>,
): Promise<readonly Rules[]> {
  const rules: Rules[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) rules.unshift(...(await rulesIn(at)));
    const entries = await readdir(at).catch((): string[] => []);
    if (entries.includes('.git')) return rules;
    if (dirname(at) === at) return [];
  }
}

/** What a deeper file says overrides what those above say. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  let isOut = false;
  for (const { folder, ignore } of rules) {
    const { ignored, unignored } = ignore.test(
      `${relative(folder, path).replaceAll(sep, '/')}${isFolder ? '/' : ''}`,
    );
    if (ignored || unignored) isOut = ignored;
  }
  return isOut;
}
