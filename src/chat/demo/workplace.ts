import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverCommand } from './server-command.ts';

/** A temporary folder with everything that the servers of the demo may change. */
export interface Workplace extends AsyncDisposable {
  readonly folder: string;
  readonly repository: string;
  /** The file of the configuration. */
  readonly config: string;
}

/**
 * Writes an ordinary MCP client configuration for six published servers into a new folder. `toolfold`:
 * settings for it.
 */
export async function createWorkplace(toolfold?: object): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-demo-'));
  const repository = join(folder, 'notes');
  await mkdir(repository);
  const mcpServers = {
    filesystem: serverCommand('@modelcontextprotocol/server-filesystem', [folder]),
    memory: serverCommand('@modelcontextprotocol/server-memory', [], {
      MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
    }),
    everything: serverCommand('@modelcontextprotocol/server-everything'),
    'sequential-thinking': serverCommand('@modelcontextprotocol/server-sequential-thinking'),
    git: serverCommand('@cyanheads/git-mcp-server', [], {
      GIT_BASE_DIR: folder,
      GIT_USERNAME: 'Toolfold demo',
      GIT_EMAIL: 'demo@example.com',
      LOGS_DIR: join(folder, 'logs'),
      HOME: folder,
    }),
    time: serverCommand('time-mcp'),
  };
  const config = join(folder, 'mcp.json');
  await writeFile(
    config,
    JSON.stringify({ mcpServers, ...(toolfold ? { toolfold } : {}) }, null, 2),
  );
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return { folder, repository, config, [Symbol.asyncDispose]: remove };
}
