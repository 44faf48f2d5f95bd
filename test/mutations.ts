/**
 * Breaks each promise on purpose, in a copy of the tree, and sees whether a test that cites it
 * notices. Run: `npx node test/mutations.ts [numbers...]`; exits 1 where a mutation survives.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promises } from './promises.ts';
import { root } from './tree.ts';

/** A mutation may make a test wait for ever. */
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

/** How many tests whose titles cite the promise passed and failed. */
function citingTests(tree: string, number: number, files: readonly string[]) {
  const options = ['--test', '--test-reporter=tap', `--test-name-pattern=promise ${number}: `];
  const { stdout } = spawnSync(process.execPath, [...options, ...files], {
    cwd: tree,
    encoding: 'utf8',
    timeout: TIMEOUT,
    maxBuffer: 1 << 28,
  });
  const results = stdout.split('\n').filter((line) => line.includes(`- promise ${number}: `));
  const failed = results.filter((line) => line.trimStart().startsWith('not ok')).length;
  return { passed: results.length - failed, failed };
}

/** Without a mutation, whatever it is: counted once. */
const untouched = new Map<string, ReturnType<typeof citingTests>>();

function verdict(tree: string, { number, mutation }: (typeof chosen)[number]): string {
  const { file, find, replace, tests } = mutation;
  const key = [number, ...tests].join(' ');
  const before = untouched.get(key) ?? citingTests(tree, number, tests);
  untouched.set(key, before);
  if (before.passed === 0 || before.failed > 0) return 'fails without the mutation';
  const path = join(tree, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  const after = citingTests(tree, number, tests);
  writeFileSync(path, source);
  if (after.failed > 0) return 'noticed';
  return after.passed > 0 ? 'SURVIVED' : 'NO TEST RAN';
}

const tree = copyTree();
let isSound = true;
try {
  for (const item of chosen) {
    const result = verdict(tree, item);
    isSound &&= result === 'noticed';
    process.stdout.write(
      `${String(item.number).padStart(3)}  ${result.padEnd(10)}  ${item.mutation.file}\n`,
    );
  }
} finally {
  rmSync(tree, { recursive: true });
}
process.stdout.write(
  isSound ? `${chosen.length} of ${chosen.length} noticed\n` : 'not all were noticed\n',
);
process.exitCode = isSound ? 0 : 1;
