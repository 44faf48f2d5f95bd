import type { ToolfoldConfig } from '@toolfold/mcp/internal/mcp';
import {
  addressedServers,
  adHocConfig,
  isAddress,
  notTrusted,
  requiredConfig,
  type TrustHost,
} from '../../app/servers/index.ts';
import { usageError } from '../../app/terminal/index.ts';
import { isPair } from './pairs.ts';

/** The tool that a command line names, and where its server is configured. */
export interface Target {
  readonly name: string;
  readonly words: readonly string[];
  readonly config: ToolfoldConfig;
  /** Whether the server is given on the command line. */
  readonly isAdHoc: boolean;
}

/**
 * Reads the first words: a tool, its server and the tool, or an address and the tool. Throws as
 * `requiredConfig` and `adHocConfig` do, and `invalid-option` for an address without a tool.
 */
export async function readTarget(
  first: string,
  rest: readonly string[],
  { config: file, stdio }: { readonly config?: string; readonly stdio?: string },
  host: TrustHost,
): Promise<Target> {
  if (stdio !== undefined) return adHocTarget(stdio, first, rest);
  const [second, ...others] = rest;
  const isTool = second !== undefined && !isPair(second) && /^[^\s{[-]/.test(second);
  if (!isAddress(first)) {
    const config = await requiredConfig(file, host);
    if (config.untrusted?.includes(first)) throw notTrusted(first, config.file);
    const entry = config.servers.get(first);
    if (!isTool || entry === undefined) return { name: first, words: rest, config, isAdHoc: false };
    const only = { ...config, servers: new Map([[first, entry]]) };
    return { name: `${first}/${second}`, words: others, config: only, isAdHoc: false };
  }
  if (isTool) return adHocTarget(first, second, others);
  // As mcporter writes it: https://example.com/mcp.tool
  const [, address, tool] = /^(https?:\/\/[^/]+\/.*)\.([^./?#]+)$/.exec(first) ?? [];
  if (address !== undefined && tool !== undefined) return adHocTarget(address, tool, rest);
  throw usageError(
    'There is an address, but no tool.',
    'Write: toolfold call https://example.com/mcp some_tool',
  );
}

function adHocTarget(given: string, tool: string, words: readonly string[]): Target {
  const config = adHocConfig(given);
  const [server = ''] = config.servers.keys();
  const isFull = addressedServers(tool, [server]).length > 0;
  return { name: isFull ? tool : `${server}/${tool}`, words, config, isAdHoc: true };
}
