import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownProperty } from '@toolfold/core/internal/tools/values';

/** The published servers of the demo, with the versions that it was written for. */
const VERSIONS = {
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@modelcontextprotocol/server-memory': '2026.8.31',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/server-sequential-thinking': '2026.8.31',
  '@cyanheads/git-mcp-server': '2.15.3',
  'time-mcp': '1.0.6',
} as const;

type Package = keyof typeof VERSIONS;

/** Six downloads at once take longer than the start of a server may take by default. */
const DOWNLOAD_SECONDS = 180;

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

/**
 * A server's entry in a configuration: it is started from `node_modules` where it is installed, else by npx, which downloads it. `env`:
 * its variables.
 */
function serverCommand(
  name: Package,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): object {
  const file = installed(name);
  if (file !== undefined) return { command: process.execPath, args: [file, ...args], env };
  return {
    ...{ command: 'npx', args: ['-y', `${name}@${VERSIONS[name]}`, ...args] },
    env: { ...networkSettings(process.env), ...env },
    startSeconds: DOWNLOAD_SECONDS,
  };
}

/** What npx needs to reach a registry. Servers inherit only a part of it. */
const NETWORK =
  /^(https?_proxy|no_proxy|all_proxy|npm_config_.*|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

/** Proxies, certificates and the settings of npm. */
function networkSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => NETWORK.test(name));
  return {
    // A server may have another home folder.
    NPM_CONFIG_USERCONFIG: join(homedir(), '.npmrc'),
    ...Object.fromEntries(names.map((name) => [name, env[name] ?? ''])),
  };
}

/** The program of an installed package. */
function installed(name: Package): string | undefined {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const file = join(folder, name, 'package.json');
      const bin: unknown = ownProperty(require(file), 'bin');
      const [program] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {});
      if (typeof program === 'string') return join(dirname(file), program);
    } catch {
      // It is not in this folder.
    }
  }
  return;
}
