import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../packages/testing/test/compile-cache.test-support.ts';

/** Makes a process of Node write the addresses of its modules to stderr when it ends, one a line. */
const TRACER = `
  import { registerHooks } from 'node:module';
  const modules = [];
  registerHooks({ load(url, context, next) { modules.push(url); return next(url, context); } });
  process.on('exit', () => process.stderr.write('\\n' + modules.join('\\n') + '\\n'));`;

/** Makes a process believe that it runs on a terminal, and ends it when the chat draws its first frame. */
const UNTIL_FIRST_FRAME = `
  process.stdin.setRawMode = () => {};
  for (const stream of [process.stdin, process.stdout]) stream.isTTY = true;
  const { write } = process.stdout;
  process.stdout.write = (data, ...rest) => {
    if (/loading|\\/help/.test(data)) process.exit();
    return write.call(process.stdout, data, ...rest);
  };`;

/** The addresses of the modules that a run of the command line loads. */
export function loadedModules(bin: string, args: readonly string[], more = ''): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
  try {
    const tracer = `data:text/javascript,${encodeURIComponent(TRACER + more)}`;
    const { stderr } = spawnSync(process.execPath, ['--import', tracer, bin, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, USERPROFILE: folder, ...compileCache },
      encoding: 'utf8',
    });
    return stderr.match(/^(?:file|node):.*$/gm) ?? [];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The libraries that a run of the command line loads, by name, in the order of the alphabet. */
export function loadedLibraries(bin: string, args: readonly string[], more = ''): string[] {
  const names = loadedModules(bin, args, more).flatMap(
    (module) => /^file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? [],
  );
  return [...new Set(names)]
    .filter((name) => name !== 'toolfold' && !name.startsWith('@toolfold/'))
    .sort();
}

/** The libraries that the chat on a terminal has loaded when it draws its first frame. */
export function librariesAtFirstFrame(bin: string): string[] {
  return loadedLibraries(bin, ['chat'], UNTIL_FIRST_FRAME);
}

/** What draws the chat: the terminal library, and what it loads. */
export const LIBRARIES_AT_FIRST_FRAME: readonly string[] = [
  ...['@earendil-works/pi-tui', '@noble/hashes', 'commander', 'get-east-asian-width', 'marked'],
];

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
