import { openListed, requiredConfig } from '../../app/servers/index.ts';
import { knownTools } from '../../app/servers/known-tools/index.ts';
import { type CommandContext, usageError } from '../../app/terminal/index.ts';
import { readCaptures, type ServerStatus } from '../../mcp/index.ts';
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

/** The tools of a source, and whether all its servers were ready. */
export interface SourceTools {
  readonly tools: readonly FoundTool[];
  readonly allReady: boolean;
}

/**
 * Reads or lists the tools. Writes to stderr which servers failed. Throws `invalid-config` or
 * `invalid-option` if there is no server or a file is malformed.
 */
export async function readSource(source: Source, context: CommandContext): Promise<SourceTools> {
  const { terminal, signal } = context;
  if (source.tools !== undefined)
    return { tools: await readJsonLines(source.tools, TOOL, signal), allReady: true };
  const { servers, tools } = await (source.catalogs === undefined
    ? configuredTools(source, context)
    : capturedTools(source.catalogs));
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
  return { tools, allReady: missing.length === 0 };
}

interface Listed {
  readonly servers: readonly ServerStatus[];
  readonly tools: readonly FoundTool[];
}

async function capturedTools(folder: string): Promise<Listed> {
  const captures = await readCaptures(folder);
  const hint = 'Give a folder of captured tool lists with --catalogs.';
  if (captures.servers.length === 0) throw usageError(`There are no servers in ${folder}.`, hint);
  return { servers: captures.servers, tools: visibleTools(captures, undefined) };
}

async function configuredTools(source: Source, context: CommandContext): Promise<Listed> {
  const config = await requiredConfig(source.config, context.terminal.note, HINT);
  const { timeout, verbose } = source;
  await using opened = await openListed(config, context, { timeout, verbose });
  const { pool } = opened;
  return { servers: pool.servers, tools: visibleTools(pool, config.settings?.exposure) };
}

function visibleTools(...known: Parameters<typeof knownTools>): FoundTool[] {
  return knownTools(...known)
    .filter(({ hidden }) => hidden === undefined)
    .map((tool) => ({ ...foundTool(tool), call: tool.name }));
}
