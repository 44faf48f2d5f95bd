import { parametersOf } from '@toolfold/core/internal/tools/schema';
import {
  createLexicalSearch,
  type Explanation,
  type ToolDocument,
} from '@toolfold/core/internal/tools/search';
import { searchWithVectors } from '@toolfold/core/internal/vectors';
import type { KnownTool } from '@toolfold/mcp/internal/known-tools';

/** A tool to search. `id` is unique: that of a file, or `group/name`. */
export interface FoundTool extends Omit<ToolDocument, 'key'> {
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
export interface Ranking {
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
  ): Ranking;
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
