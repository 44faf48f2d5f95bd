import { nearNames } from '@toolfold/core/internal/tools/names/near';
import { matchesGlob, matchesTool } from '@toolfold/core/internal/tools/registry/globs';
import type { KnownTool } from '@toolfold/mcp/internal/known-tools';
import { isNamed } from '../../app/servers/index.ts';
import { createRanker, foundTool } from '../search/index.ts';

const MOST_FOUND = 10;
const MOST_NEAR = 5;

/** The tools that a query selects. */
export interface Selection {
  /** A search has the best first. */
  readonly tools: readonly KnownTool[];
  /** Names of tools near the query, if it selects no tool. */
  readonly near: readonly string[];
  /** Names of servers near the query, if it is one word and the name of nothing. */
  readonly nearServers?: readonly string[];
}

/**
 * The tools that a query selects: by glob if it has `*` or `?`, by name if it is the name of a tool, else by
 * search. All tools for an empty query.
 */
export async function select(
  query: string,
  tools: readonly KnownTool[],
  servers: readonly string[],
): Promise<Selection> {
  if (query === '') return { tools, near: [] };
  const isGlob = /[*?]/.test(query);
  const named = tools.filter((tool) => isMeant(query, tool));
  if (named.length > 0) return { tools: named, near: [] };
  const found = isGlob ? [] : await search(query, tools);
  const nearServers = isGlob || query.includes(' ') ? [] : nearNames(query, servers, MOST_NEAR);
  const bare = query.replace(/[*?]+/g, '').replace(/[/.]/, '__');
  const names = tools.map(({ name }) => name);
  const near = found.length > 0 ? [] : nearNames(bare, names, MOST_NEAR);
  return { tools: found, near, nearServers };
}

function isMeant(glob: string, tool: KnownTool): boolean {
  const { bare, server } = tool;
  return (
    isNamed(glob, tool) ||
    matchesTool(glob, tool) ||
    [bare, server, `${server}/${bare}`, `${server}.${bare}`].some((one) => matchesGlob(glob, one))
  );
}

async function search(query: string, tools: readonly KnownTool[]): Promise<readonly KnownTool[]> {
  const rank = await createRanker(tools.map((tool) => ({ ...foundTool(tool), id: tool.name })));
  const { matches, fits } = rank(query, { limit: MOST_FOUND });
  return matches
    .filter(({ score }) => score >= fits)
    .flatMap(({ tool, twins = [] }) => [tool, ...twins])
    .flatMap(({ id }) => tools.find(({ name }) => name === id) ?? []);
}
