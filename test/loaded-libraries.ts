import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a process of Node write the addresses of its modules to stderr when it ends, one a line. */
const TRACER = `
  import { registerHooks } from 'node:module';
  const modules = [];
  registerHooks({ load(url, context, next) { modules.push(url); return next(url, context); } });
  process.on('exit', () => process.stderr.write('\\n' + modules.join('\\n') + '\\n'));`;

/** The libraries that a run of the command line loads, by name, in the order of the alphabet. */
export function loadedLibraries(bin: string, args: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
  try {
    const tracer = `data:text/javascript,${encodeURIComponent(TRACER)}`;
    const { stderr } = spawnSync(process.execPath, ['--import', tracer, bin, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, USERPROFILE: folder },
      encoding: 'utf8',
    });
    const found = stderr.matchAll(/^file:.*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/[^\n]*$/gm);
    const names = new Set([...found].map(([, name = '']) => name));
    names.delete('toolfold');
    return [...names].sort();
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What each of these runs may load. Whoever adds a library here makes every start slower. */
export const LIBRARIES_AT_START: readonly (readonly [
  args: readonly string[],
  libraries: readonly string[],
])[] = [
  [['--version'], []],
  [['--help'], ['@noble/hashes', 'commander']],
  [
    ['help', 'chat'],
    ['@noble/hashes', 'commander'],
  ],
  [
    ['run', '--help'],
    ['@noble/hashes', 'commander'],
  ],
  [
    ['audit', '--help'],
    ['@noble/hashes', 'commander'],
  ],
  [
    ['sessions', 'ls'],
    ['@noble/hashes', 'commander'],
  ],
];
