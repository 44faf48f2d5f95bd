import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Reply, startModelServer } from '@toolfold/testing';
import { fileOf, isCommand, isProgram, placeOf, type Snippet, structureOf } from './snippets.ts';
import { link, root } from './tree.ts';

/** The output of a block, and the error if it failed. */
export interface SnippetRun {
  readonly snippet: Snippet;
  readonly output: string;
  readonly error?: string;
}

/**
 * Installs packed packages of the workspace, which lie in a folder of modules, as a package manager does
 * that hides the rest: each package sees its dependencies and those of `names` that it names as peers, and
 * nothing else. The app sees `names`, which are other packages, and those that it asked for.
 */
export function installStrictly(
  folder: string,
  packed: string,
  wanted: readonly string[],
  names: readonly string[],
): void {
  const store = (name: string) => join(folder, 'store', name, 'node_modules');
  const open = [...wanted];
  const seen = new Set(open);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const from = join(packed, name);
    cpSync(from, join(store(name), name), { recursive: true });
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    const peers = Object.keys({ ...manifest.peerDependencies });
    for (const needed of [
      ...Object.keys({ ...manifest.dependencies }),
      ...names.filter((one) => peers.includes(one)),
    ]) {
      const isOwn = needed.startsWith('@toolfold/');
      const target = isOwn ? join(store(needed), needed) : join(root, 'node_modules', needed);
      link(target, join(store(name), needed));
      if (!isOwn || seen.has(needed)) continue;
      seen.add(needed);
      open.push(needed);
    }
  }
  const modules = join(folder, 'node_modules');
  for (const name of names) link(join(root, 'node_modules', name), join(modules, name));
  for (const name of wanted) link(join(store(name), name), join(modules, name));
}

/** Saves the blocks as a reader would. Each page has its own folder. */
export function writeSnippets(folder: string, snippets: readonly Snippet[]): void {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // The README changes a route of an app that has tools already.
  mkdirSync(join(folder, 'README'), { recursive: true });
  cpSync(join(root, 'test', 'consumer', 'tools.ts'), join(folder, 'README', 'tools.ts'));
  for (const snippet of snippets) {
    if (!isProgram(snippet) && !snippet.marks.has('file')) continue;
    const file = join(folder, snippet.page, fileOf(snippet));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, snippet.text);
  }
}

/** Runs all programs in one process, one after the other. */
export async function runPrograms(
  folder: string,
  snippets: readonly Snippet[],
): Promise<SnippetRun[]> {
  const programs = snippets.filter(isProgram);
  const list = programs.map((snippet) => ({
    folder: join(folder, snippet.page),
    file: fileOf(snippet),
    script: repliesOf(snippet),
  }));
  writeFileSync(join(folder, 'list.json'), JSON.stringify(list));
  writeFileSync(join(folder, 'run-all.ts'), RUN_ALL);
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'run-all.ts')], {
    cwd: folder,
    env: environment(folder),
    maxBuffer: 2 ** 24,
    timeout: 120_000,
  });
  const runs: { output: string; error?: string }[] = JSON.parse(stdout);
  return programs.map((snippet, at) => ({
    snippet,
    ...(runs[at] ?? { output: '', error: 'The block did not run.' }),
  }));
}

/** Runs the blocks of commands, one after the other, in the folders of their pages. */
export async function runCommands(
  folder: string,
  snippets: readonly Snippet[],
): Promise<SnippetRun[]> {
  const runs: SnippetRun[] = [];
  for (const snippet of snippets.filter(isCommand)) {
    const cwd = join(folder, snippet.page);
    mkdirSync(cwd, { recursive: true });
    await using server = await startModelServer({ script: repliesOf(snippet) });
    const env = {
      ...environment(folder),
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: server.baseUrl('anthropic'),
    };
    // Installed commands run directly, because npx takes longer than most of them.
    const prelude =
      'npx() { [ "$1" != --no-install ] || shift; "$@"; }; toolfold() { node "$HOME/node_modules/toolfold/bin/toolfold.js" "$@"; }';
    const script = `${prelude}\nset -eo pipefail\n${snippet.text}`;
    const run = promisify(execFile)('bash', ['-c', script], { cwd, env, timeout: 120_000 });
    runs.push(
      await run.then(
        ({ stdout }) => ({ snippet, output: stdout }),
        (error: { stdout?: string; stderr?: string; message: string }) => ({
          snippet,
          output: error.stdout ?? '',
          error: `${error.message}\n${error.stderr}`,
        }),
      ),
    );
  }
  return runs;
}

/** Asserts that every block ran, and that its output has the structure that its page shows. */
export function assertRuns(runs: readonly SnippetRun[], snippets: readonly Snippet[]): void {
  for (const { snippet, output, error } of runs) {
    assert.equal(error, undefined, `${placeOf(snippet)}: ${error}\n${output}`);
    const names = [fileOf(snippet), snippet.text.trim()];
    const samples = snippets.filter(
      ({ page, marks }) => page === snippet.page && names.includes(marks.get('output') ?? ''),
    );
    for (const sample of samples)
      assert.equal(structureOf(sample.text), structureOf(output), placeOf(sample));
  }
}

/** Ways in which a compiler finds modules, by the option `module`. */
export const RESOLUTIONS: Readonly<Record<string, string>> = {
  node16: 'node16',
  esnext: 'bundler',
};

/**
 * Type-checks files with the strict options of the compiler, declarations of packages included. Resolves
 * to the errors, without those in the declarations of `ai` and its packages, which have some of their
 * own under `exactOptionalPropertyTypes`.
 */
export async function checkTypes(
  folder: string,
  files: readonly string[],
  module: string,
): Promise<string[]> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    module,
    jsx: 'react-jsx',
    moduleResolution: RESOLUTIONS[module],
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    typeRoots: [join(root, 'node_modules', '@types')],
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const options = { cwd: folder, maxBuffer: 2 ** 26 };
  const run = promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false'], options);
  const printed = await run.then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  );
  const errors = printed.split(/\n(?! )/).filter((error) => error !== '');
  return errors.filter((error) => !/^(?:[^(]*\/)?node_modules\/(ai|@ai-sdk)\//.test(error));
}

function repliesOf({ marks }: Snippet): Reply[] {
  return JSON.parse(marks.get('model') ?? '[]');
}

/** An environment with its own home, without keys, with the installed commands first in the path. */
function environment(folder: string): Record<string, string> {
  const path = [join(folder, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH];
  // The cache is in the folder, so that a run begins without one, as after an installation.
  const cache = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  return { PATH: path.join(':'), HOME: folder, TMPDIR: folder, NO_COLOR: '1', ...cache };
}

/** Imports one program after another. Address and key of the scripted model are in the environment. */
const RUN_ALL = `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { startModelServer } from '@toolfold/testing';

const list = JSON.parse(readFileSync('list.json', 'utf8'));
let script = [];
const server = await startModelServer({ script: () => script.shift() });
process.env.ANTHROPIC_API_KEY = process.env.OPENAI_API_KEY = 'none';
process.env.ANTHROPIC_BASE_URL = server.baseUrl('anthropic');
process.env.OPENAI_BASE_URL = server.baseUrl('openai-responses');

const write = process.stdout.write.bind(process.stdout);
let output = '';
process.stdout.write = (text) => { output += text; return true; };
console.error = () => {};
const runs = [];
for (const one of list) {
  output = '';
  script = one.script;
  process.chdir(one.folder);
  process.exitCode = 0;
  try {
    await import(pathToFileURL(join(one.folder, one.file)).href);
    const left = script.length;
    const error = process.exitCode ? 'It ended with ' + process.exitCode : left ? left + ' replies of the script are left.' : undefined;
    runs.push({ output, error });
  } catch (error) {
    runs.push({ output, error: format(error) });
  }
}
write(JSON.stringify(runs), () => process.exit(0));
`;
