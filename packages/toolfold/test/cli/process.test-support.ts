import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TrustedEntries } from '@toolfold/config/internal/files/trusted-entries.ts';
import { userFolder } from '@toolfold/config/internal/files/user-folder.ts';
import { JsonSource } from '@toolfold/config/internal/json-source.ts';
import { clientPlaces } from '@toolfold/mcp/internal/clients/places.ts';
import { entriesOf } from '@toolfold/mcp/internal/config/find-configs.ts';
import { declared } from '@toolfold/mcp/internal/config/read-config.ts';
import { compileCache } from '@toolfold/testing/test/compile-cache.test-support.ts';

/** The folder of the package. */
export const root: string = fileURLToPath(new URL('../../../..', import.meta.url));

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
  /** Whether the files of the folder are trusted. Default: true. */
  readonly isTrusted?: boolean;
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
 * Says yes to all that the files of a folder say now. Commands in tests run in folders that the test has written; what
 * nobody has said yes to is tested with `isTrusted: false`.
 */
export function trustFolder(
  folder: string,
  env: Readonly<Record<string, string | undefined>> = environment(folder, {}),
): void {
  const store = new TrustedEntries(
    join(userFolder('data', { env, home: env.HOME ?? folder }), 'trust'),
  );
  const all = clientPlaces({ cwd: folder, home: '/none', platform: process.platform, env: {} });
  for (const place of all) {
    if (place.scope !== 'project' || !existsSync(place.file)) continue;
    try {
      const source = new JsonSource(place.file, readFileSync(place.file, 'utf8'));
      const found = entriesOf(declared(source, place, folder, []), { servers: true, block: true });
      for (const { hash } of found) store.add({ folder: realpathSync(folder), hash, name: 'test' });
    } catch {
      // The command reports a file with a mistake.
    }
  }
}

/**
 * Starts the command line as users do. It inherits only the compile cache from this process's
 * environment.
 */
export function start(
  folder: string,
  args: readonly string[],
  { env = {}, node = [], isTrusted = true }: StartOptions = {},
): ReturnType<typeof spawn> {
  if (isTrusted) trustFolder(folder, environment(folder, env));
  return spawn(
    process.execPath,
    [...node, join(root, 'packages/toolfold/bin/toolfold.js'), ...args],
    {
      cwd: folder,
      env: environment(folder, env),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
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
