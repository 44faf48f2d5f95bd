import { readNamed } from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { parametersOf } from '@toolfold/core/internal/schema';
import type { Explanation, ToolDocument } from '@toolfold/core/internal/search';
import { createLexicalSearch } from '@toolfold/core/internal/search.ts';
import { isRecord } from '@toolfold/core/internal/values';
import { searchWithVectors } from '@toolfold/core/internal/vectors.ts';
import { type KnownTool, knownTools } from '@toolfold/mcp/internal/known-tools.ts';
import { readCaptures } from '@toolfold/mcp/internal/pool';
import type { ServerStatus } from '@toolfold/mcp/internal/server';
import { openListed, requiredConfig, trustHost } from '../servers/index.ts';
import { type CommandContext, unreadable, usageError } from '../terminal/index.ts';

const HINT =
  'Give a file with --config, captured tool lists with --catalogs, or tools with --tools.';

/** Where the tools come from. Without a file or folder, the usual places of MCP clients. */
export interface ToolSource {
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
  source: ToolSource,
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
  { config: file, catalogs, timeout, verbose }: ToolSource,
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

/** What each line of a file is, and its form, for messages. */
interface LineFormat<T> {
  readonly what: string;
  readonly form: string;
  /** Returns what is wrong with a line that is no such value. */
  readonly read: (line: Readonly<Record<string, unknown>>) => T | string;
}

/** A tool of a file. */
const TOOL: LineFormat<FoundTool> = {
  what: 'a tool',
  form: '{ "id", "server", "name", "description", "inputSchema" }, of which "id" and "name" are required',
  read: ({ id, server, name, description, inputSchema }) => {
    if (!isVisible(id)) return 'it has no "id"';
    if (!isVisible(name)) return 'it has no "name"';
    return {
      ...{ id, name, group: typeof server === 'string' ? server : '' },
      description: typeof description === 'string' ? description : '',
      parameters: isRecord(inputSchema) ? parametersOf(inputSchema) : [],
    };
  },
};

/** A query of a file. The text may be empty: then no tool matches. */
export interface FileQuery {
  readonly id: string | number;
  readonly query: string;
}

export const QUERY: LineFormat<FileQuery> = {
  what: 'a query',
  form: '{ "id", "query" }',
  read: ({ id, query }) => {
    if (typeof query !== 'string') return 'it has no "query"';
    // Files often number their queries. The output has the id as it was given.
    return typeof id === 'number' || isVisible(id) ? { id, query } : 'it has no "id"';
  },
};

/**
 * Reads a file with one JSON object a line. Empty lines are skipped. Throws `invalid-option` if the
 * file cannot be read or is empty, and, with the number of the line, if a line is not of the kind or has
 * the `id` of an earlier one.
 */
export async function readJsonLines<T extends { readonly id: string | number }>(
  file: string,
  { what, form, read }: LineFormat<T>,
  signal: AbortSignal,
): Promise<T[]> {
  const values: T[] = [];
  const first = new Map<string | number, string>();
  for (const [index, text] of (await readText(file, form, signal)).split('\n').entries()) {
    if (text.trim() === '') continue;
    const where = `${file}:${index + 1}`;
    const value = readLine(text, read);
    if (typeof value === 'string')
      throw usageError(`${where} is not ${what}: ${value}.`, `Each line is ${form}.`);
    const earlier = first.get(value.id);
    if (earlier !== undefined)
      throw usageError(
        `${where} repeats the id ${JSON.stringify(value.id)} of ${earlier}.`,
        'Give each line an id of its own.',
      );
    first.set(value.id, where);
    values.push(value);
  }
  if (values.length === 0) throw usageError(`${file} is empty.`, `Each line is ${form}.`);
  return values;
}

function readLine<T>(text: string, read: LineFormat<T>['read']): T | string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? read(value) : 'it is no JSON object';
  } catch (error) {
    return errorMessage(error);
  }
}

/** Whether a value is a text with at least one visible character. */
function isVisible(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

async function readText(file: string, form: string, signal: AbortSignal): Promise<string> {
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    return (await readNamed(file, signal)).replace(/^\uFEFF/, '');
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(file, error, `Give a file whose lines are ${form}.`);
  }
}

/** A tool to search. `id` is unique: that of a file, or `group/name`. */
interface FoundTool extends Omit<ToolDocument, 'key'> {
  readonly id: string;
  readonly description: string;
  /** The name with which `toolfold call` calls it; absent for a tool of a file. */
  readonly call?: string;
}

/** A tool that a server lists, as one to search. */
export function foundTool({ server, bare, description, inputSchema }: KnownTool): FoundTool {
  return {
    ...{ id: `${server}/${bare}`, name: bare, group: server, description },
    parameters: parametersOf(inputSchema),
  };
}

/** A found tool. `why` is present if it was asked for. */
export interface Match {
  readonly tool: FoundTool;
  readonly score: number;
  /** Other tools with the same text, best first. */
  readonly twins?: readonly FoundTool[];
  readonly why?: Explanation;
}

/** The matches of a query, the best first, and the milliseconds that the search took. */
export interface RankedMatches {
  readonly matches: readonly Match[];
  /** A match with a lower score does not fit the query. */
  readonly fits: number;
  readonly ms: number;
}

/** Ranks the tools for a query. */
export interface Ranker {
  (
    query: string,
    options: { readonly limit: number; readonly explain?: boolean | undefined },
  ): RankedMatches;
  /** What the search compares: `words and vectors`, or `words`. */
  readonly compares: string | undefined;
}

/** The search may remember what one function allows, so all queries share it. */
const everything = (): boolean => true;

/** Indexes the tools. With `vectors`, related words count as well, unless their table cannot be read. */
export async function createRanker(
  tools: readonly FoundTool[],
  vectors: boolean = true,
): Promise<Ranker> {
  const search = vectors ? await searchWithVectors() : createLexicalSearch();
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const found = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  search.index(tools.map((tool) => ({ ...tool, key: tool.id })));
  // The first search completes the index. It is not part of any query's time.
  search.search('find a tool', { limit: 1, allows: everything });
  const rank = (query: string, { limit, explain = false }: Parameters<Ranker>[1]) => {
    const start = performance.now();
    const hits = search.search(query, { limit, explain, allows: everything });
    const ms = Math.round((performance.now() - start) * 1000) / 1000;
    const matches = hits.flatMap(({ key, score, twins = [], why }): Match[] =>
      found([key]).map((tool) => ({
        ...{ tool, score },
        ...(twins.length > 0 && { twins: found(twins) }),
        ...(why && { why }),
      })),
    );
    return { matches, fits: search.scale?.fits ?? 0, ms };
  };
  return Object.assign(rank, { compares: search.compares });
}
