import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../testing/compile-cache.test-support.ts';

/** The folder of the package. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The exit code and the output of a command line. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command line is started with, besides its arguments. */
export interface StartOptions {
  /** A value that is `undefined` takes the variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Flags of Node itself. */
  readonly node?: readonly string[];
}

/** A temporary folder that is the home and the working folder of the command line. */
export async function home(
  context: TestContext,
  files: Record<string, string> = {},
): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

/** The environment of a command line: of this process's, only the path and the compile cache. */
export function environment(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return {
    ...{ PATH: process.env.PATH, HOME: folder, USERPROFILE: folder, ...compileCache },
    // No test asks the ports of the machine.
    ...{ TOOLFOLD_LOCAL_PORTS: '', ...env },
  };
}

/**
 * Starts the command line as users do. It inherits only the compile cache from this process's
 * environment.
 */
export function start(
  folder: string,
  args: readonly string[],
  { env = {}, node = [] }: StartOptions = {},
): ReturnType<typeof spawn> {
  return spawn(process.execPath, [...node, join(root, 'bin/toolfold.js'), ...args], {
    cwd: folder,
    env: environment(folder, env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Starts the command line and waits for its end. */
export async function run(
  folder: string,
  args: readonly string[],
  { input = '', ...options }: StartOptions & { readonly input?: string } = {},
): Promise<Outcome> {
  const child = start(folder, args, options);
  child.stdin?.end(input);
  return outcomeOf(child);
}

/** Waits for the end of a started command line. */
export async function outcomeOf(child: ReturnType<typeof spawn>): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
