import { knownTools } from '@toolfold/mcp/internal/known-tools';
import { readCaptures, type ServerStatus } from '@toolfold/mcp/internal/mcp';
import { openListed, requiredConfig, trustHost } from '../../app/servers/index.ts';
import { type CommandContext, usageError } from '../../app/terminal/index.ts';
import { readJsonLines, TOOL } from './json-lines.ts';
import { type FoundTool, foundTool } from './ranker.ts';

const HINT =
  'Give a file with --config, captured tool lists with --catalogs, or tools with --tools.';

/** Where the tools come from. Without a file or folder, the usual places of MCP clients. */
export interface Source {
  readonly config?: string;
  readonly catalogs?: string;
  readonly tools?: string;
  /** Seconds from the start of the command for servers without a list. Default: two for starting. */
  readonly timeout?: number;
  readonly verbose?: true;
}

/**
 * Reads or lists the tools. `allReady`: whether all servers were ready. Writes to stderr which servers failed. Throws `invalid-config` or
 * `invalid-option` if there is no server or a file is malformed.
 */
export async function readSource(
  source: Source,
  context: CommandContext,
): Promise<{ readonly tools: readonly FoundTool[]; readonly allReady: boolean }> {
  const { terminal, signal } = context;
  if (source.tools !== undefined)
    return { tools: await readJsonLines(source.tools, TOOL, signal), allReady: true };
  const { servers, tools, hasUntrusted = false } = await serversOf(source, context);
  const missing = servers.filter(({ state }) => state !== 'ready' && state !== 'idle');
  for (const { name, reason, remedy = '' } of missing) {
    if (reason !== undefined) terminal.note(`${name} failed: ${reason}. ${remedy}`.trimEnd());
  }
  const starting = missing.flatMap(({ name, reason }) => (reason === undefined ? [name] : []));
  if (starting.length > 0) {
    const names = starting.join(', ');
    terminal.note(
      `Without the tools of ${names}: not ready yet. To wait longer: toolfold search --timeout 30 …`,
    );
  }
  return { tools, allReady: missing.length === 0 && !hasUntrusted };
}

/** The servers of a folder of captures, or of a configuration, and their tools. */
async function serversOf(
  { config: file, catalogs, timeout, verbose }: Source,
  context: CommandContext,
): Promise<{
  servers: readonly ServerStatus[];
  tools: readonly FoundTool[];
  hasUntrusted?: boolean;
}> {
  if (catalogs !== undefined) {
    const captures = await readCaptures(catalogs);
    const hint = 'Give a folder of captured tool lists with --catalogs.';
    if (captures.servers.length > 0)
      return { servers: captures.servers, tools: visibleTools(captures, undefined) };
    throw usageError(`There are no servers in ${catalogs}.`, hint);
  }
  const config = await requiredConfig(file, trustHost(context), HINT);
  await using opened = await openListed(config, context, { timeout, verbose });
  const { servers } = opened.pool;
  const tools = visibleTools(opened.pool, config.settings?.exposure);
  return { servers, tools, hasUntrusted: (config.untrusted ?? []).length > 0 };
}

function visibleTools(...known: Parameters<typeof knownTools>): FoundTool[] {
  return knownTools(...known)
    .filter(({ hidden }) => hidden === undefined)
    .map((tool) => ({ ...foundTool(tool), call: tool.name }));
}
