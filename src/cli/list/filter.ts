import { nearNames } from '../../tools/names/near/index.ts';
import { matchesGlob, matchesTool } from '../../tools/registry/globs/index.ts';
import { parametersOf } from '../../tools/schema/index.ts';
import type { JsonSchema } from '../../tools/values/index.ts';
import { createRanker, VECTORS_BY_DEFAULT } from '../search/index.ts';
import type { KnownTool } from '../servers/known-tools/index.ts';

/** The most tools that a search lists. */
const MOST_FOUND = 10;
/** The most names that are shown as near. */
const MOST_NEAR = 5;

/** The tools that a query selects. */
export interface Selection {
  /** A search has the best first. */
  readonly tools: readonly KnownTool[];
  /** Names near the query, if it selects no tool. */
  readonly near: readonly string[];
}

/**
 * The tools that a query selects: by glob if it has `*` or `?`, by name if it is the name of a server or
 * tool, else by search. All tools for an empty query.
 */
export async function select(
  query: string,
  tools: readonly KnownTool[],
  servers: readonly string[],
): Promise<Selection> {
  if (query === '') return { tools, near: [] };
  const isGlob = /[*?]/.test(query);
  const named = tools.filter((tool) => isNamed(query, tool));
  if (named.length > 0 || servers.includes(query)) return { tools: named, near: [] };
  const found = isGlob ? [] : await search(query, tools);
  if (found.length > 0) return { tools: found, near: [] };
  return { tools: [], near: nearOnes(query, tools, servers) };
}

function isNamed(glob: string, tool: KnownTool): boolean {
  const { name, bare, server, groupId } = tool;
  return (
    matchesGlob(glob, bare) ||
    matchesGlob(glob, server) ||
    matchesGlob(glob, `${server}/${bare}`) ||
    matchesTool(glob, { name, bare, groupId })
  );
}

async function search(query: string, tools: readonly KnownTool[]): Promise<readonly KnownTool[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const documents = tools.map(({ name, bare, server, description, inputSchema }) => ({
    ...{ id: name, name: bare, group: server, description },
    parameters: parametersOf(inputSchema as JsonSchema),
  }));
  const rank = await createRanker(documents, { vectors: VECTORS_BY_DEFAULT });
  const { matches: found, fits } = rank(query, { limit: MOST_FOUND, explain: false });
  return found
    .filter(({ score }) => score >= fits)
    .flatMap(({ tool, twins = [] }) => [tool, ...twins])
    .flatMap(({ id }) => byName.get(id) ?? []);
}

function nearOnes(
  query: string,
  tools: readonly KnownTool[],
  servers: readonly string[],
): readonly string[] {
  const bare = query.replace(/[*?]+/g, '');
  const names = nearNames(
    bare,
    tools.map(({ name }) => name),
    MOST_NEAR,
  );
  return names.length > 0 ? names : nearNames(bare, servers, MOST_NEAR);
}
