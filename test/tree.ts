import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder. */
export const root: string = fileURLToPath(new URL('..', import.meta.url));

/** A part of so many, as `K/N`: 0/1 is all. Throws an error for any other text. */
export function partOf(text: string): { readonly isIn: (at: number) => boolean } {
  const [, turn = 0, turns = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (turn >= turns) throw new Error(`"${text}" is no part: write K/N, such as 0/3.`);
  return { isIn: (at) => at % turns === turn };
}

/** Files of the project, new ones included, whose path has this beginning and this end. */
export function trackedFiles(begins: string, ends: string): string[] {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  return [...new Set(execFileSync('git', args, options).split('\n'))]
    .filter((file) => file !== '' && file.startsWith(begins) && file.endsWith(ends))
    .sort();
}

/** Links all packages that are installed in the checkout, except those of the workspace. */
export function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!['.package-lock.json', '@toolfold', 'toolfold'].includes(name))
      link(join(root, 'node_modules', name), join(modules, name));
  }
}

/** Makes a link at a path, and the folders above it. */
export function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
