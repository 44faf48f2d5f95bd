import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { estimateTokens, type TokenCounter } from '@toolfold/core/internal/tool';
import { ownProperty } from '@toolfold/core/internal/values';

/**
 * Imports an optional package. If it is absent, throws `missing-dependency` with the command that
 * installs it where the program was started from.
 * `load` contains the import itself, so that bundlers and the compiler see it. `user` names what needs
 * the package.
 */
export async function importOptional<T>(
  name: string,
  user: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ToolfoldError(
      'missing-dependency',
      `${user} needs the package ${name}.`,
      `Install it: ${installLine(name)}`,
      error,
    );
  }
}

/** How the program was started. */
interface ProgramStart {
  /** The folder of this package, without links. */
  readonly root: string;
  /** What was typed behind the name of the program. */
  readonly args: readonly string[];
}

/** Runners without an installation, by the folder in which they keep packages. */
const RUNNERS: readonly (readonly [folder: RegExp, line: CommandFor])[] = [
  [/\/_npx\//, (all, command) => `npx ${options(all, '--package=')} -- ${command}`],
  [/\/pnpm\/dlx\//, (all, command) => `pnpm ${options(all, '--package=')} dlx ${command}`],
  [/\/dlx-\d/, (all, command) => `yarn dlx ${options(all, '--package ')} ${command}`],
  [/\/bunx-/, (all) => `bun add --global ${all.join(' ')}`],
];

/** Managers, by the folder of their global packages. npm has no fixed one. */
const GLOBAL: readonly (readonly [folder: RegExp, command: string])[] = [
  [/\/pnpm\/global\//, 'pnpm add --global'],
  [/\/\.bun\/install\/global\//, 'bun add --global'],
  [/\/yarn\/(?:Data\/)?global\//, 'yarn global add'],
  [/\/\.yarn\//, 'yarn add'],
];

/** Managers, by the lock file of a project. */
const LOCKS: readonly (readonly [file: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm add'],
  ['yarn.lock', 'yarn add'],
  ['bun.lock', 'bun add'],
  ['bun.lockb', 'bun add'],
  ['package.json', 'npm install'],
];

/** `all`: the packages to run with. `command`: what was typed. */
type CommandFor = (all: readonly string[], command: string) => string;

/**
 * The command that adds a peer of this package where the program was started from, in the version that it
 * needs.
 */
export function installLine(name: string, start: ProgramStart = startOf()): string {
  const one = name + majorOf(name);
  const root = start.root.replaceAll('\\', '/');
  const project = root.split('/node_modules/', 1)[0] ?? root;
  if (project === root) return 'npm ci';
  const runner = RUNNERS.find(([folder]) => folder.test(root))?.[1];
  if (runner) return runner([...packagesOf(project), one], commandOf(start.args));
  const manager =
    GLOBAL.find(([folder]) => folder.test(root)) ??
    LOCKS.find(([file]) => existsSync(join(project, file)));
  return `${manager?.[1] ?? 'npm install --global'} ${one}`;
}

function startOf(): ProgramStart {
  const manifest = createRequire(import.meta.url).resolve('toolfold/package.json');
  return { root: dirname(manifest), args: process.argv.slice(2) };
}

/** `@4` where the package works with `^4.1.0`. */
function majorOf(name: string): string {
  const manifest: unknown = createRequire(import.meta.url)('toolfold/package.json');
  const range = ownProperty(ownProperty(manifest, 'peerDependencies'), name);
  const major = /^\^(\d+)/.exec(typeof range === 'string' ? range : '')?.[1];
  return major === undefined ? '' : `@${major}`;
}

/** What npx was told to run: it may be a file. */
function packagesOf(project: string): readonly string[] {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const packages = ownProperty(ownProperty(manifest, '_npx'), 'packages');
    if (Array.isArray(packages) && packages.every((one) => typeof one === 'string'))
      return packages;
  } catch {
    // Other runners write none.
  }
  return ['toolfold'];
}

function options(packages: readonly string[], flag: string): string {
  return packages.map((one) => `${flag}${one}`).join(' ');
}

/** Texts that a shell would read in another way are left out. */
function commandOf(args: readonly string[]): string {
  return ['toolfold', ...args.map((arg) => (/^[\w@.,:/=+-]+$/.test(arg) ? arg : '…'))].join(' ');
}

/**
 * The built-in estimate, or the exact o200k_base counter of the optional package gpt-tokenizer, with its name in
 * reports. Throws `missing-dependency` if `exact` is set and the package is not installed.
 */
export async function chooseCounter(
  exact: boolean,
): Promise<{ readonly name: string; readonly count: TokenCounter }> {
  if (!exact) return { name: 'estimate', count: estimateTokens };
  const load = () => import('gpt-tokenizer/encoding/o200k_base');
  const { countTokens } = await importOptional('gpt-tokenizer', '--exact', load);
  // Text that looks like a special token is counted as plain text.
  const options = { disallowedSpecial: new Set<string>() };
  return { name: 'o200k_base', count: (text) => countTokens(text, options) };
}
