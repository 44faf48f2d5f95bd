import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parametersOf } from '../../packages/core/src/schema/schema.ts';
import type { ToolDocument } from '../../packages/core/src/search.ts';

/** The tools of captured MCP servers by server. The key of a tool is `server/tool`. */
export type Servers = ReadonlyMap<string, readonly ToolDocument[]>;

interface CapturedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

/** Reads a folder of captured lists, one file a server. Empty if there is no such folder. */
export function readServers(folder: string): Servers {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return new Map(
    files.sort().map((file): [string, ToolDocument[]] => {
      const { server, tools } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return [server, tools.map((tool: CapturedTool) => toDocument(server, tool))];
    }),
  );
}

function toDocument(server: string, tool: CapturedTool): ToolDocument {
  const { name, description = '', inputSchema = {} } = tool;
  const parameters = parametersOf(inputSchema);
  return { key: `${server}/${name}`, name, group: server, description, parameters };
}

/**
 * The tools of some servers; `*` means all. Throws an error if a server is missing: figures without
 * its tools would be wrong.
 */
export function toolsOf(servers: Servers, names: readonly string[]): ToolDocument[] {
  const chosen = names.includes('*') ? [...servers.keys()] : names;
  return chosen.flatMap((name) => {
    const tools = servers.get(name);
    if (tools === undefined) throw new Error(`There is no captured list of the server "${name}".`);
    return tools;
  });
}

/** The lines of a file in `bench/search/data/`. */
export function readOwnData<T>(file: string): T[] {
  const text = readFileSync(fileURLToPath(new URL(`data/${file}`, import.meta.url)), 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line));
}
