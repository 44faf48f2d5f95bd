import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Commands of servers, by name. */
export type Servers = Readonly<Record<string, readonly string[]>>;

const root = join(import.meta.dirname, '../..');

export const isBuilt: boolean = existsSync(join(root, 'out/toolfold/dist/cli/main.js'));

/** A folder for the files of this run. */
export const folder: string = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));

/** The command of the gateway: that of the built package, if there is one, else that of the checkout. */
export const TOOLFOLD: readonly string[] = isBuilt
  ? [process.execPath, join(root, 'out/toolfold/bin/toolfold.js')]
  : [process.execPath, join(root, 'packages/toolfold/bin/toolfold.js')];

/** An environment in which nothing is cached yet, unless the name was used before. */
export function environment(name: string): NodeJS.ProcessEnv {
  const home = join(folder, name);
  return {
    ...process.env,
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
  };
}

/** A server that misbehaves as `pool-server.ts` says. */
export function poolServer(behaviour: object): readonly string[] {
  return [process.execPath, join(root, 'bench/pool-server.ts'), JSON.stringify(behaviour)];
}

export const RELAY: readonly string[] = [process.execPath, join(import.meta.dirname, 'relay.ts')];

let files = 0;

/** Writes a configuration with these servers, and returns its file. */
export function configOf(servers: Servers, keys: object = {}): string {
  const entries = Object.entries(servers).map(([name, [command, ...args]]) => {
    return [name, { command, args, ...keys }];
  });
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return file;
}
