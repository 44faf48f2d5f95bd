import { createLexicalSearch } from '../../tools/search/index.ts';
import type { FoundTool } from './found-tool.ts';

/** Whether word vectors are used if neither `--vectors` nor `--no-vectors` is given. */
export const VECTORS_BY_DEFAULT = false;

/** A found tool. `why` is what the search says about the hit, if it was asked to. */
export interface Match {
  readonly tool: FoundTool;
  readonly score: number;
  readonly why?: unknown;
}

/** The matches of a query, the best first, and the milliseconds that the search took. */
export interface Ranking {
  readonly matches: readonly Match[];
  readonly ms: number;
}

export interface RankOptions {
  readonly limit: number;
  readonly explain?: boolean;
}

/** Ranks the tools for a query. */
export type Ranker = (query: string, options: RankOptions) => Ranking;

/** Indexes the tools. With `vectors`, related words count as well. */
export async function createRanker(
  tools: readonly FoundTool[],
  _options: { readonly vectors: boolean },
): Promise<Ranker> {
  // The place for `createLexicalSearch({ vectors: await loadVectors() })`.
  const search = createLexicalSearch();
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  search.index(tools.map((tool) => ({ ...tool, key: tool.id })));
  return (query, { limit }) => {
    const start = performance.now();
    // The place for `explain`. A hit then has `why`.
    const hits = search.search(query, { limit, allows: () => true });
    const ms = Math.round((performance.now() - start) * 1000) / 1000;
    const matches = hits.flatMap(({ key, ...hit }): Match[] => {
      const tool = byId.get(key);
      return tool === undefined ? [] : [{ tool, ...hit }];
    });
    return { matches, ms };
  };
}
