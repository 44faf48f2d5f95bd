/**
 * Breaks each promise on purpose, in a copy of the tree, and checks that a test that cites it fails.
 * Run: `npx node test/mutations.ts [numbers...]`. It exits with 1 if no test fails for a mutation.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promises } from './promises.ts';
import { root } from './tree.ts';

/** Milliseconds. A mutation may make a test wait forever. */
const TIMEOUT = 60_000;

const wanted = new Set(process.argv.slice(2).map(Number));
const chosen = promises.flatMap(({ number, mutations }) =>
  wanted.size === 0 || wanted.has(number)
    ? mutations.map((mutation) => ({ number, mutation }))
    : [],
);

function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'toolfold-mutations-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => /^(src|test)\/|^[^/]+\.json$/.test(name))) {
    cpSync(join(root, file), join(copy, file), { force: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** Counts passed and failed tests whose titles cite the promise. */
async function citingTests(tree: string, number: number, files: readonly string[]): Promise<Count> {
  const options = ['--test', '--test-reporter=tap', `--test-name-pattern=promise ${number}: `];
  const settings = { cwd: tree, timeout: TIMEOUT, maxBuffer: 1 << 28 };
  const stdout = await new Promise<string>((resolve) => {
    // If tests fail, the process exits with 1. The output is enough to count them.
    execFile(process.execPath, [...options, ...files], settings, (_, text) => resolve(text));
  });
  const results = stdout.split('\n').filter((line) => line.includes(`- promise ${number}: `));
  const failed = results.filter((line) => line.trimStart().startsWith('not ok')).length;
  return { passed: results.length - failed, failed };
}

/** The counts without a mutation; each combination of promise and test files runs once. */
const untouched = new Map<string, Promise<Count>>();

async function verdict(
  tree: string,
  { number, mutation }: (typeof chosen)[number],
): Promise<string> {
  const { file, find, replace, tests } = mutation;
  const key = [number, ...tests].join(' ');
  const before = untouched.get(key) ?? citingTests(tree, number, tests);
  untouched.set(key, before);
  const { passed, failed } = await before;
  if (passed === 0 || failed > 0) return 'fails without the mutation';
  const path = join(tree, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  const after = await citingTests(tree, number, tests);
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
      process.stdout.write(
        `${String(item.number).padStart(3)}  ${result.padEnd(10)}  ${item.mutation.file}\n`,
      );
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
