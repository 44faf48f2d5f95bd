import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type ClientPlace, clientPlaces } from '@toolfold/mcp/internal/clients/places.ts';
import type { InitReport } from '../../src/cli-servers/init.ts';
import { command } from '../cli/in-process.test-support.ts';
import type { Outcome } from '../cli/process.test-support.ts';

/** A project and a home folder, and the command line in them. */
export interface Scene {
  readonly project: string;
  readonly home: string;
  /** The files of the clients in this scene. */
  readonly places: readonly ClientPlace[];
  /** Writes a file of the project, and the folders above it. */
  write(file: string, content: unknown): Promise<string>;
  init(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** As `init`, with `--json`. */
  report(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<InitReport>;
}

/** A scene with the given files of the project. */
export async function scene(
  context: TestContext,
  files: Readonly<Record<string, unknown>> = {},
): Promise<Scene> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolfold-')));
  context.after(() => rm(root, { recursive: true, force: true }));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(project);
  const write = async (file: string, content: unknown): Promise<string> => {
    const path = join(project, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  for (const [file, content] of Object.entries(files)) await write(file, content);
  const init: Scene['init'] = (args, env = {}) =>
    command(project, ['init', ...args], { env: { HOME: home, USERPROFILE: home, ...env } });
  return {
    ...{ project, home, write, init },
    places: clientPlaces({ cwd: project, home, platform: process.platform, env: {} }),
    report: async (args, env) => JSON.parse((await init([...args, '--json'], env)).stdout),
  };
}
