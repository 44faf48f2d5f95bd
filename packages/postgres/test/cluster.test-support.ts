import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';

/** A PostgreSQL server of its own on a socket in a temporary folder. */
export interface Cluster {
  readonly connection: ClientConfig;
  start(): Promise<void>;
  /** `SIGQUIT`: ends at once, as in a crash. `SIGINT`: ends all connections first. */
  stop(signal: 'SIGQUIT' | 'SIGINT'): Promise<void>;
  remove(): Promise<void>;
}

/** Why no server can be started here. Undefined if one can. */
export const NO_SERVER: string | undefined = whyNoServer();

function whyNoServer(): string | undefined {
  try {
    for (const program of ['initdb', 'postgres']) {
      const [command = '', ...args] = asUser(program, '--version');
      execFileSync(command, args, { stdio: 'pipe' });
    }
    return;
  } catch (error) {
    return `there is no PostgreSQL to start: ${error instanceof Error ? error.message : error}`;
  }
}

/** The command line of a program of the server, which refuses to run as root: then it is named as another user. */
function asUser(...command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  const user = execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  return ['unshare', '--user', `--map-user=${user}`, ...command];
}

export async function startCluster(settings: readonly string[] = []): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-pg-'));
  const data = join(folder, 'data');
  const how = ['-U', 'toolfold', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'];
  const [initdb = '', ...initArgs] = asUser('initdb', '-D', data, ...how);
  execFileSync(initdb, initArgs, { stdio: 'pipe' });
  const flags = ['listen_addresses=', 'fsync=off', ...settings].flatMap((one) => ['-c', one]);
  const [postgres = '', ...args] = asUser('postgres', '-D', data, '-k', folder, ...flags);
  const connection: ClientConfig = { host: folder, user: 'toolfold', database: 'postgres' };
  let server: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    server = spawn(postgres, args, { stdio: 'ignore' });
    for (let attempt = 0; ; attempt++) {
      const client = new Client(connection);
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (attempt === 200 || server.exitCode !== null) throw error;
        await setTimeout(50);
      }
    }
  };
  const stop = async (signal: 'SIGQUIT' | 'SIGINT') => {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const remove = async () => {
    await stop('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  await start();
  return { connection, start, stop, remove };
}
