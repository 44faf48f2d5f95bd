/**
 * Runs all tests: most of them share two processes, because most of their time would be the start of
 * a process; each other file has its own. Prints the output of the shared processes after that of the
 * others. Run: `npm test`; exits 1 if a test fails.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, trackedFiles } from './tree.ts';

/** Rooms whose tests share nothing but a process, by process. */
const SHARED = [
  ['src/tools/', 'src/host/', 'src/models/', 'src/config/', 'src/ai-sdk/'],
  ['src/agent/', 'src/mcp/', 'src/testing/'],
];

/** Tests there that start workers or processes, or keep both cores busy. */
const ALONE =
  /\/(policy-matrix|resume|prefix-native|size|host-end|server-end|supervisor-script|kill-matrix)\.test\.ts$/;

/** Whether a file mocks timers. `fetch` keeps such a timer, and breaks timers of later tests with it. */
const mocksTimers = (file: string): boolean =>
  readFileSync(join(root, file), 'utf8').includes('mock.timers');

const OPTIONS = [
  '--conditions=toolfold-source',
  '--import=./test/untracked-promises.ts',
  '--test-reporter=spec',
];
const compileCache = join(root, 'node_modules/.cache/toolfold');

const files = [...trackedFiles('src/', '.test.ts'), ...trackedFiles('test/', '.test.ts')];
const isAlone = (file: string) => ALONE.test(file) || mocksTimers(file);
const shared = SHARED.map((rooms) =>
  files.filter((file) => rooms.some((room) => file.startsWith(room)) && !isAlone(file)),
);
const others = files.filter((file) => !shared.flat().includes(file));

/** Starts Node with these arguments. `show` gets the output as it comes. */
function start(args: readonly string[], show: (text: string) => void): Promise<number> {
  const child = spawn(process.execPath, [...OPTIONS, ...args], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', show);
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on('error', (error) => {
    process.stderr.write(`The tests could not be started: ${error.message}\n`);
    resolve(1);
  });
  child.on('close', (code) => resolve(code ?? 1));
  return promise;
}

const outputs = shared.map(() => '');
const results = await Promise.all([
  ...shared.map((names, at) =>
    start(['test/shared-process.ts', ...names], (text) => {
      outputs[at] += text;
    }),
  ),
  start(['--test', '--test-concurrency=2', ...others], (text) => process.stdout.write(text)),
]);
process.stdout.write(`\n${outputs.join('\n')}`);
process.exitCode = Math.max(...results);
