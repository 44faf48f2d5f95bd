import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectServers, readConfig, type ServerPool } from 'toolfold/mcp';

/** A temporary folder with everything that the servers may change. */
export interface Workplace extends AsyncDisposable {
  readonly folder: string;
  readonly repository: string;
  readonly config: string;
}

/** Writes an ordinary MCP client configuration for six published servers into a new folder. */
export async function createWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-demo-'));
  const repository = join(folder, 'notes');
  await mkdir(repository);
  const bin = (name: string) =>
    fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
  const mcpServers = {
    filesystem: { command: bin('mcp-server-filesystem'), args: [folder] },
    memory: {
      command: bin('mcp-server-memory'),
      env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    },
    everything: { command: bin('mcp-server-everything') },
    'sequential-thinking': { command: bin('mcp-server-sequential-thinking') },
    git: {
      command: bin('git-mcp-server'),
      env: {
        GIT_BASE_DIR: folder,
        GIT_USERNAME: 'Toolfold demo',
        GIT_EMAIL: 'demo@example.com',
        LOGS_DIR: join(folder, 'logs'),
        HOME: folder,
      },
    },
    time: { command: bin('time-mcp') },
  };
  const config = join(folder, 'mcp.json');
  await writeFile(config, JSON.stringify({ mcpServers }, null, 2));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return { folder, repository, config, [Symbol.asyncDispose]: remove };
}

/** Starts the servers and reports the state of each. */
export async function startServers(
  workplace: Workplace,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<ServerPool> {
  const config = await readConfig(workplace.config, { env: process.env });
  return connectServers(config, {
    signal,
    timeout: 60_000,
    onProgress: ({ name, state, tools, ms, reason }) => {
      if (state === 'ready')
        report(`  ${name}: ${tools} tools after ${Math.round(ms).toLocaleString('en-US')} ms`);
      if (state === 'failed' && !signal.aborted) report(`  ${name}: ${reason}`);
    },
  });
}
