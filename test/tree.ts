import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The checkout's folder. */
export const root: string = fileURLToPath(new URL('..', import.meta.url));

/** Files of the project, new ones included, whose path has this beginning and this end. */
export function trackedFiles(begins: string, ends: string): string[] {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  return [...new Set(execFileSync('git', args, options).split('\n'))]
    .filter((file) => file !== '' && file.startsWith(begins) && file.endsWith(ends))
    .sort();
}
