import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { own } from '../../tools/values/index.ts';

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

interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly startSeconds?: number;
}

/** How a server is started: from `node_modules` where it is installed, else by npx, which downloads it. */
export function serverCommand(name: Package, args: readonly string[] = []): ServerCommand {
  const file = installed(name);
  return file === undefined
    ? {
        ...{ command: 'npx', args: ['-y', `${name}@${VERSIONS[name]}`, ...args] },
        startSeconds: DOWNLOAD_SECONDS,
      }
    : { command: process.execPath, args: [file, ...args] };
}

/** The program of an installed package. */
function installed(name: Package): string | undefined {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const file = join(folder, name, 'package.json');
      const bin: unknown = own(require(file), 'bin');
      const [program] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {});
      if (typeof program === 'string') return join(dirname(file), program);
    } catch {
      // It is not in this folder.
    }
  }
  return;
}
