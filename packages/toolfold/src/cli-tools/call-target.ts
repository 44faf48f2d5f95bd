import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { nearNames } from '@toolfold/core/internal/near-names.ts';
import type { ToolfoldConfig } from '@toolfold/mcp/internal/config';
import { type KnownTool, knownTools } from '@toolfold/mcp/internal/known-tools.ts';
import type { ServerPool } from '@toolfold/mcp/internal/pool';
import { type ConnectionState, notUsable } from '@toolfold/mcp/internal/server';
import {
  addressedServers,
  adHocConfig,
  isAddress,
  isNamed,
  notTrusted,
  requiredConfig,
  type TrustHost,
} from '../servers/index.ts';
import { type CommandContext, usageError } from '../terminal/index.ts';
import { isPair } from './call-arguments.ts';

/** The tool that a command line names, and where its server is configured. */
interface CommandTarget {
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
): Promise<CommandTarget> {
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

function adHocTarget(given: string, tool: string, words: readonly string[]): CommandTarget {
  const config = adHocConfig(given);
  const [server = ''] = config.servers.keys();
  const isFull = addressedServers(tool, [server]).length > 0;
  return { name: isFull ? tool : `${server}/${tool}`, words, config, isAdHoc: true };
}

const MOST_NAMES = 5;

/** What `resolveTool` looks a name up in. */
interface ServerLookup {
  readonly pool: ServerPool;
  readonly config: ToolfoldConfig;
}

/**
 * The servers that have to be started for a name, by the lists of earlier runs: one, where a list has the
 * tool, else those that the name may mean, the longest name first. Throws `invalid-option` for a bare name
 * that several servers have.
 */
export function serversFor(name: string, { pool, config }: ServerLookup): readonly string[] {
  const tools = toolsOf({ pool, config });
  const addressed = addressedServers(name, config.servers.keys());
  const canonical = tools.find((tool) => tool.name === name);
  if (canonical !== undefined) return [canonical.server];
  const owner = addressed.find((server) =>
    tools.some((tool) => tool.server === server && isNamed(name, tool)),
  );
  if (owner !== undefined) return [owner];
  if (addressed.length > 0) return addressed;
  const bare = tools.filter((tool) => tool.bare === name);
  if (bare.length > 1)
    throw usageError(
      `${bare.length} tools are named ${JSON.stringify(name)}.`,
      `Give one of: ${listed(bare)}.`,
    );
  return bare.map(({ server }) => server);
}

/**
 * The tool of a name, as the first of these servers lists it now that has it: they are started. Throws
 * `invalid-option` if none has it, and `connection-failed` if a server cannot be used. `onStart` is called
 * with each server before it is started.
 */
export async function resolveTool(
  name: string,
  servers: readonly string[],
  known: ServerLookup,
  { signal }: Pick<CommandContext, 'signal'>,
  onStart: (server: string) => void,
): Promise<KnownTool> {
  for (const server of servers) {
    onStart(server);
    const state = await known.pool.connection(server)?.start(signal);
    if (state?.kind !== 'ready') throw unusable(server, state);
    const own = toolsOf(known).filter((tool) => tool.server === server);
    const tool = own.find((one) => isNamed(name, one)) ?? own.find(({ bare }) => bare === name);
    if (tool !== undefined) return tool;
  }
  throw unknown(name, known);
}

function toolsOf({ pool, config }: ServerLookup): readonly KnownTool[] {
  return knownTools(pool, config.settings?.exposure);
}

function unusable(server: string, state: ConnectionState | undefined): ToolfoldError {
  const isKnown = state?.kind === 'failed' || state?.kind === 'needs-auth';
  const failure = isKnown ? state : { reason: 'it could not be started', remedy: 'Try again.' };
  return notUsable(server, failure);
}

function unknown(name: string, known: ServerLookup): ToolfoldError {
  const { disabled, untrusted = [], file, servers } = known.config;
  const [refused] = [
    ...untrusted.filter((server) => server === name),
    ...addressedServers(name, untrusted),
  ];
  if (refused !== undefined) throw notTrusted(refused, file);
  if (untrusted.length > 0 && servers.size === 0) throw notTrusted(name, file);
  const [off] = addressedServers(name, disabled);
  if (off !== undefined)
    return usageError(
      `The server ${off} is disabled in the configuration.`,
      'Remove "disabled" from its entry.',
    );
  if (known.config.servers.has(name)) {
    const hint = `Name one of its tools: toolfold list ${name} shows them.`;
    return usageError(`${name} is a server, and no tool.`, hint);
  }
  const visible = toolsOf(known).filter(({ hidden }) => hidden === undefined);
  const near = nearNames(
    name.replace(/^mcp:/, '').replace(/[/.]/, '__'),
    visible.map((tool) => tool.name),
    MOST_NAMES,
  );
  const missing = known.pool.servers.filter(({ listedAt }) => listedAt === undefined);
  const notKnown =
    missing.length === 0 ? '' : ` The tools of these servers are not known: ${listed(missing)}.`;
  const [server] = addressedServers(name, known.config.servers.keys());
  const names =
    server === undefined
      ? 'See the names with: toolfold list. List them again with: toolfold list --refresh'
      : `See its names with: toolfold list ${server}`;
  return usageError(
    `There is no tool ${JSON.stringify(name)}.${notKnown}`,
    near.length === 0 ? names : `Did you mean ${near.join(', ')}?`,
  );
}

function listed(all: readonly { readonly name: string }[]): string {
  const names = all.map(({ name }) => name);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}
