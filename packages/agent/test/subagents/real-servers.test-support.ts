import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool/group.ts';
import { parseConfig } from '@toolfold/mcp/internal/config/read-config.ts';
import { connectServers } from '@toolfold/mcp/internal/pool/connect-servers.ts';
import { Gauge } from './gauge.test-support.ts';

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** Two published servers as child processes, and the tools that run on them. */
export interface RealServers extends AsyncDisposable {
  readonly groups: readonly DeferredToolGroup[];
  readonly runs: Gauge;
}

/** A throwaway folder with a file for each part. */
export interface Parts extends AsyncDisposable {
  readonly folder: string;
}

/** A unique text in the file of a part that cannot be guessed. */
export function wordOf(part: number): string {
  return `word-${(part * 7_919 + 104_729).toString(36)}`;
}

/** The distinct words of a text. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.match(/word-[0-9a-z]+/g))];
}

/** The path of a part's file. */
export function fileOf(folder: string, part: number): string {
  return join(folder, `part-${part}.txt`);
}

/** Writes a file of the given size for each part. */
export async function writeParts(count: number, bytes: number): Promise<Parts> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  for (let part = 1; part <= count; part++) {
    const line = `This stands in part ${part}: ${wordOf(part)}.\n`;
    await writeFile(fileOf(folder, part), line.repeat(Math.ceil(bytes / line.length)));
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts a file server for the folder and a server with slow echo tools. */
export async function startRealServers(folder: string): Promise<RealServers> {
  const server = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(modules, `@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
    env: { HOME: folder },
  });
  const mcpServers = { filesystem: server('filesystem', folder), everything: server('everything') };
  const config = parseConfig(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }), { env: {} });
  const { groups, close } = await connectServers(config, { timeout: 60_000 });
  const runs = new Gauge();
  return {
    groups: groups.map((group) => counted(group, runs)),
    runs,
    [Symbol.asyncDispose]: close,
  };
}

function counted(group: DeferredToolGroup, runs: Gauge): DeferredToolGroup {
  const loader: DeferredToolGroup['loader'] = async (options) =>
    (await group.loader(options)).map((tool) => ({
      ...tool,
      execute: async (input, given) => {
        runs.add(1);
        try {
          return await tool.execute?.(input, given);
        } finally {
          runs.add(-1);
        }
      },
    }));
  return { ...group, loader };
}
