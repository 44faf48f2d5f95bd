/**
 * Runs the tests: most of them share three processes, because most of their time would be the start of
 * a process; each other file has its own. Prints what fails, and at the end how many tests passed and which
 * were skipped; on a terminal also how far it is. Exits 1 if a test fails. `npm test` leaves out the slow
 * files, and of combinations it tests each value (TOOLFOLD_TEST_QUICK=1). `npm run test:slow`
 * (TOOLFOLD_TEST_SLOW=1) runs the slow files, and each pair of values in all files that test combinations.
 * `npm run test:full` runs all of all (TOOLFOLD_TEST_FULL=1). With TOOLFOLD_TEST_TURN=K/N, which `.ci/run`
 * sets by turns, every Nth file of `test:slow` from the Kth on is run, and always those of harm.
 * TOOLFOLD_TEST_TIMES=FILE writes each test with its milliseconds there.
 * With arguments, only the files that they name are run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { targetOf } from '../scripts/packages.ts';
import type { Ended } from './reporter.ts';
import { partOf, root, trackedFiles } from './tree.ts';

/**
 * The shared processes, by the paths of the files that each runs: a file runs in the first that matches. The
 * tests of the first one mostly wait for processes that they start.
 */
const SHARED: readonly RegExp[] = [
  /^packages\/toolfold\/|^packages\/mcp\/.*\/gateway|^packages\/agent\/.*\/(sessions|sqlite)\//,
  /^packages\/(agent|mcp)\//,
  /^packages\//,
];

/**
 * The marks in the first line of a test file, such as `// test: slow, harm`.
 *
 * - `slow`: it needs several seconds: of many processes, of all combinations, or of the whole package.
 * - `first`: of the slow ones it is among the longest, and starts first, so that none runs alone at the end.
 * - `harm`: what it guards against would do harm, so it runs in each turn.
 * - `alone`: it starts workers or processes, or keeps both cores busy, so it has a process of its own.
 */
const MARKS = ['slow', 'first', 'harm', 'alone'] as const;
type Mark = (typeof MARKS)[number];

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The files that have each mark. */
function marked(files: readonly string[]): ReadonlyMap<Mark, ReadonlySet<string>> {
  const found = new Map<Mark, Set<string>>(MARKS.map((mark) => [mark, new Set()]));
  for (const file of files) {
    const [, line] = /^\/\/ test: (.*)$/m.exec(read(file).split('\n', 1)[0] ?? '') ?? [];
    for (const name of line?.split(', ') ?? []) {
      const mark = MARKS.find((one) => one === name);
      if (mark === undefined) throw new Error(`${file}: "${name}" is no mark of a test file.`);
      found.get(mark)?.add(file);
    }
  }
  return found;
}

/** Whether a file mocks timers. `fetch` keeps such a timer, and breaks timers of later tests with it. */
const mocksTimers = (file: string): boolean => read(file).includes('mock.timers');

const OPTIONS = ['--import=./test/untracked-promises.ts', '--test-reporter=./test/reporter.ts'];
const compileCache = join(root, 'node_modules/.cache/toolfold');

/** Whether a file, or a helper that it imports, chooses from combinations. */
function hasCombinations(file: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(file) || file.endsWith('/combinations.test-support.ts')) return false;
  seen.add(file);
  const text = read(file);
  const helpers = [...text.matchAll(/from '([^']*test-support\.ts)'/g)];
  return (
    /\b(?:combinations|selected)\(|\bisQuick\b/.test(text) ||
    helpers.some(([, path = '']) => hasCombinations(targetOf(file, path), seen))
  );
}

const { TOOLFOLD_TEST_SLOW, TOOLFOLD_TEST_FULL, TOOLFOLD_TEST_TURN } = process.env;
const all = [...trackedFiles('packages/', '.test.ts'), ...trackedFiles('test/', '.test.ts')];
const marks = marked(all);
const has = (file: string, mark: Mark) => marks.get(mark)?.has(file) === true;
const { isIn } = partOf(TOOLFOLD_TEST_TURN ?? '0/1');
const isFull = TOOLFOLD_TEST_FULL === '1';
const isSlow = TOOLFOLD_TEST_SLOW === '1';
const first = all.filter((file) => has(file, 'first'));
const alwaysSlow = [...first, ...all.filter((file) => has(file, 'slow') && !has(file, 'first'))];
const slow = [...alwaysSlow, ...all.filter((file) => !has(file, 'slow') && hasCombinations(file))];
const isOfTurn = (file: string) => isIn(slow.indexOf(file)) || has(file, 'harm');
const isRun = (file: string) =>
  isSlow ? slow.includes(file) && isOfTurn(file) : !has(file, 'slow');
const named = process.argv.slice(2);
const files = named.length > 0 ? named : all.filter((file) => isFull || isRun(file));
const isAlone = (file: string) => has(file, 'slow') || has(file, 'alone') || mocksTimers(file);
const sharing = Map.groupBy(
  files.filter((file) => !isAlone(file)),
  (file) => SHARED.find((paths) => paths.test(file)),
);
const shared = SHARED.map((paths) => sharing.get(paths) ?? []);
const others = [...alwaysSlow, ...files.filter((file) => !has(file, 'slow'))].filter(
  (file) => files.includes(file) && !shared.flat().includes(file),
);

/** The tests that have ended. */
const ended: Ended[] = [];
const { isTTY } = process.stdout;

function add(one: Ended): void {
  ended.push(one);
  if (one.error !== undefined) say(`✖ ${one.file}: ${one.name}\n${indented(one.error)}`);
  else if (isTTY && ended.length % 50 === 0) process.stdout.write(`\r${ended.length} tests `);
}

function say(text: string): void {
  process.stdout.write(`${isTTY ? '\r' : ''}${text}\n`);
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** Starts Node with these arguments, and resolves with its exit code. What it prints is shown if it fails. */
async function start(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...OPTIONS, ...args], {
    cwd: root,
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...(isFull || isSlow ? {} : { TOOLFOLD_TEST_QUICK: '1' }),
      ...process.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const one = parsed(line);
    if (one) add(one);
    else printed += `${line}\n`;
  });
  const [code] = await once(child, 'close').catch((error) => {
    printed += `The tests could not be started: ${error.message}\n`;
    return [1];
  });
  if (code !== 0 && printed !== '')
    say(`Printed by ${args[0]}, of which a test failed:\n${indented(printed.slice(-20_000))}`);
  return code ?? 1;
}

/** The test that a line of the reporter tells, if it is one. */
function parsed(line: string): Ended | undefined {
  if (!line.startsWith('{"name":')) return;
  try {
    return JSON.parse(line);
  } catch {
    return;
  }
}

const begun = performance.now();
const results = await Promise.all([
  ...shared.map((names) => (names.length === 0 ? 0 : start(['test/shared-process.ts', ...names]))),
  others.length === 0 ? 0 : start(['--test', '--test-concurrency=2', ...others]),
]);
const failed = ended.filter(({ error }) => error !== undefined);
const skipped = ended.filter((one) => one.skipped !== undefined);
const reasons = new Map<string, string[]>();
for (const { name, skipped: reason = '' } of skipped)
  reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
for (const [reason, names] of reasons) say(`Skipped, ${reason}: ${names.join('; ')}`);
if (named.length === 0 && !isFull && !isSlow)
  say(
    `Skipped: ${alwaysSlow.length} files and most pairs of settings, because they take long. npm run test:slow runs them.`,
  );
// A log of which only the end is kept must say what failed.
for (const { file, name } of failed) say(`✖ ${file}: ${name}`);
const passed = ended.length - failed.length - skipped.length;
// As Node's own reporters say it, for programs that read it.
const duration = Math.round(performance.now() - begun);
const counts = { tests: ended.length, pass: passed, fail: failed.length, skipped: skipped.length };
if (skipped.length < ended.length)
  for (const [name, count] of Object.entries({ ...counts, duration_ms: duration }))
    say(`ℹ ${name} ${count}`);
if (results.some((code) => code !== 0))
  say(`Exit codes: ${results.join(', ')} (shared processes, then the others).`);
process.exitCode = Math.max(...results, failed.length > 0 ? 1 : 0);
if (process.env.TOOLFOLD_TEST_TIMES !== undefined)
  writeFileSync(process.env.TOOLFOLD_TEST_TIMES, JSON.stringify(ended));
