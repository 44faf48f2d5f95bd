import type { Weights } from '../../../packages/core/src/search/fields.ts';
import { createLexicalSearch, type WordVectors } from '../../../packages/core/src/search.ts';
import { type Query, type QuerySet, readCatalogs, readSets, readTools } from '../data.ts';
import { mergedSets } from '../merge.ts';
import { DEPTH, qualityOf } from '../quality.ts';
import { evenSample, shuffled } from '../random.ts';

const MAX_QUERIES = 150;
const SEED = 1;

/** Query sets with the same list of tools. */
export interface TuningSet {
  readonly name: string;
  readonly tools: QuerySet['tools'];
  readonly queries: readonly Query[];
}

/**
 * Reads the sets for tuning: those with a part for it, at most 150 queries each. Throws an error if
 * `only` names a set without such a part. The last list of tools is that of all these sets and of the
 * captured servers together. Nothing of other sets is read.
 */
export function readTuningSets(
  data: string,
  catalogs: string,
  only: readonly string[] = [],
): { readonly alone: readonly TuningSet[]; readonly merged: readonly TuningSet[] } {
  const files = Map.groupBy(readSets(data, 'dev', only), ({ folder }) => folder);
  const alone = [...files].map(([name, sets]) => ({
    name,
    tools: sets[0]?.tools ?? [],
    queries: evenSample(
      sets.flatMap(({ queries }) => queries),
      MAX_QUERIES,
    ),
  }));
  const all = [...files.keys()].flatMap((name) => readTools(data, name));
  const tools = shuffled([...all, ...readCatalogs(catalogs)], SEED);
  const merged = mergedSets(
    alone.map((set) => ({ ...set, folder: set.name })),
    tools,
  );
  return { alone, merged };
}

/** nDCG@10 of each query, a list for each set. Sets with the same list of tools share an index. */
export function ndcgOf(
  sets: readonly TuningSet[],
  weights: Weights,
  vectors?: WordVectors,
): number[][] {
  const values = new Map<TuningSet, number[]>();
  for (const [tools, group] of Map.groupBy(sets, (set) => set.tools)) {
    const search = createLexicalSearch({ weights, ...(vectors ? { vectors } : {}) });
    search.index(tools);
    for (const set of group) {
      const ofQueries = set.queries.map((query) => {
        const hits = search.search(query.text, { limit: DEPTH, allows: everything });
        const keys = hits.flatMap(({ key, twins = [] }) => [key, ...twins]);
        return qualityOf(keys, query).ndcg;
      });
      values.set(set, ofQueries);
    }
  }
  return sets.map((set) => values.get(set) ?? []);
}

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;
