/**
 * Breaks each promise on purpose, in a copy of the tree, and checks that a test that cites it fails.
 * Run: `npx node test/mutations.ts [--tested] [--turn=K/N] [numbers...]`. It exits with 1 if no test
 * fails for a mutation. `--tested`: do not run the tests without the mutation first, because another step
 * does. `--turn=K/N`: every N-th mutation, from the K-th one on.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packages } from '../scripts/packages.ts';
import { promises } from './promises.ts';
import { link, linkModules, partOf, root } from './tree.ts';

/** Milliseconds without a result after which a run ends: a mutation may make a test wait forever. */
const TIMEOUT = 60_000;
/** Milliseconds that a test has to end when it is told to. */
const GRACE = 5_000;
/** All runs share what Node has compiled: of the tree, all but the mutated file is the same. */
const compileCache = join(root, 'node_modules', '.cache', 'toolfold');

const args = process.argv.slice(2);
const isTested = args.includes('--tested');
const given = args.find((arg) => arg.startsWith('--turn='))?.slice('--turn='.length);
const { isIn } = partOf(given ?? '0/1');
const wanted = new Set(args.filter((arg) => !arg.startsWith('--')).map(Number));
const chosen = promises
  .flatMap(({ number, mutations }) =>
    wanted.size === 0 || wanted.has(number)
      ? mutations.map((mutation) => ({ number, mutation }))
      : [],
  )
  .filter((_, at) => isIn(at));

function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'toolfold-mutations-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) =>
    /^(packages|scripts|test)\/|^[^/]+\.json$/.test(name),
  )) {
    cpSync(join(root, file), join(copy, file), { force: true });
  }
  linkModules(copy);
  for (const [folder, { name }] of packages())
    link(join(copy, folder), join(copy, 'node_modules', name));
  return copy;
}

interface Count {
  readonly passed: number;
  readonly failed: number;
}

const OPTIONS = ['--test-reporter=tap'];

/** Counts passed and failed tests of a file whose titles cite the promise. It may end at the first failure. */
async function citingTests(
  tree: string,
  number: number,
  file: string,
  end: 'at the end' | 'at a failure',
): Promise<Count> {
  const args = [...OPTIONS, `--test-name-pattern=promise ${number}: `, file];
  const child = spawn(process.execPath, args, {
    cwd: tree,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = () => {
    child.kill();
    // A test that never gives way hears no signal.
    setTimeout(() => child.kill('SIGKILL'), GRACE).unref();
  };
  const timer = setTimeout(stop, TIMEOUT);
  let [passed, failed] = [0, 0];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    timer.refresh();
    const [, not, title] = /^\s*(not )?ok \d+ - (.*)/.exec(line) ?? [];
    // Only tests that cite the promise run, and suites of such tests.
    if (not) failed++;
    else if (title?.startsWith(`promise ${number}: `)) passed++;
    if (not && end === 'at a failure') stop();
  });
  await once(child, 'close');
  clearTimeout(timer);
  return { passed, failed };
}

/** The counts without a mutation; each combination of promise and file runs once. */
const untouched = new Map<string, Promise<Count>>();

/** In all of the files, one after the other, without a mutation. */
async function countBefore(tree: string, number: number, files: readonly string[]): Promise<Count> {
  let [passed, failed] = [0, 0];
  for (const file of files) {
    const key = `${number} ${file}`;
    const count = untouched.get(key) ?? citingTests(tree, number, file, 'at the end');
    untouched.set(key, count);
    passed += (await count).passed;
    failed += (await count).failed;
  }
  return { passed, failed };
}

/** In the files until a test fails. */
async function countAfter(tree: string, number: number, files: readonly string[]): Promise<Count> {
  let passed = 0;
  for (const file of files) {
    const count = await citingTests(tree, number, file, 'at a failure');
    passed += count.passed;
    if (count.failed > 0) return { passed, failed: count.failed };
  }
  return { passed, failed: 0 };
}

async function verdict(
  tree: string,
  { number, mutation }: (typeof chosen)[number],
): Promise<string> {
  const { file, find, replace, tests } = mutation;
  const before = isTested ? undefined : await countBefore(tree, number, tests);
  if (before && (before.passed === 0 || before.failed > 0)) return 'fails without the mutation';
  const path = join(tree, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  const after = await countAfter(tree, number, tests);
  writeFileSync(path, source);
  if (after.failed > 0) return 'noticed';
  return after.passed > 0 ? 'SURVIVED' : 'NO TEST RAN';
}

let isSound = true;
const waiting = [...chosen];

/** Tries mutations one after another in its own copy of the tree. */
async function work(): Promise<void> {
  const tree = copyTree();
  try {
    for (let item = waiting.shift(); item; item = waiting.shift()) {
      const result = await verdict(tree, item);
      isSound &&= result === 'noticed';
      const { file, find } = item.mutation;
      const what = result === 'noticed' ? file : `${file}: ${JSON.stringify(find)}`;
      process.stdout.write(`${String(item.number).padStart(3)}  ${result.padEnd(10)}  ${what}\n`);
    }
  } finally {
    rmSync(tree, { recursive: true });
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
process.stdout.write(
  isSound ? `${chosen.length} of ${chosen.length} noticed\n` : 'not all were noticed\n',
);
process.exitCode = isSound ? 0 : 1;
