/**
 * Runs all tests: those that only compute share one process, because most of their time is the start
 * of a process; each other file has its own. Prints the output of the first after that of the
 * others. Run: `npm test`; exits 1 if a test fails.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, trackedFiles } from './tree.ts';

/** Rooms whose tests share nothing but the process. */
const SHARED = ['src/tools/', 'src/host/', 'src/models/', 'src/config/', 'src/ai-sdk/'];

/** Tests there that start workers or processes, or keep both cores busy. */
const ALONE = /\/(policy-matrix|resume|prefix-native)\.test\.ts$/;

const OPTIONS = ['--conditions=toolfold-source', '--test', '--test-reporter=spec'];
const compileCache = join(root, 'node_modules/.cache/toolfold');

const files = [...trackedFiles('src/', '.test.ts'), ...trackedFiles('test/', '.test.ts')];
const isShared = (file: string) =>
  SHARED.some((room) => file.startsWith(room)) && !ALONE.test(file);

/** Starts the test runner. `show` gets the output as it comes. */
function start(
  options: readonly string[],
  names: readonly string[],
  show: (text: string) => void,
): Promise<number> {
  const child = spawn(process.execPath, [...OPTIONS, ...options, ...names], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', show);
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on('error', (error) => {
    process.stderr.write(`The test runner could not be started: ${error.message}\n`);
    resolve(1);
  });
  child.on('close', (code) => resolve(code ?? 1));
  return promise;
}

let shared = '';
const results = await Promise.all([
  start(['--test-isolation=none'], files.filter(isShared), (text) => {
    shared += text;
  }),
  start(
    ['--test-concurrency=2'],
    files.filter((file) => !isShared(file)),
    (text) => process.stdout.write(text),
  ),
]);
process.stdout.write(`\n${shared}`);
process.exitCode = Math.max(...results);
