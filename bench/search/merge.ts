import type { ToolDocument } from '../../src/tools/search/index.ts';
import { type QuerySet, readCatalogs, readTools, setNames } from './data.ts';
import { shuffled } from './random.ts';

const SEED = 1;

/** The tools of all sets and of all captured lists, in one shuffled order. */
export function allTools(data: string, catalogs: string): ToolDocument[] {
  const sets = setNames(data).flatMap((name) => readTools(data, name));
  return shuffled([...sets, ...readCatalogs(catalogs)], SEED);
}

/**
 * The sets with their queries asked over all the tools. Tools with the same name and description
 * as a right one are right too. Others that would do as well are not known and count as wrong.
 */
export function mergedSets(sets: readonly QuerySet[], tools: readonly ToolDocument[]): QuerySet[] {
  const textOf = ({ name, description }: ToolDocument) => JSON.stringify([name, description]);
  const twins = Map.groupBy(tools, textOf);
  const twinsOf = new Map(tools.map((tool) => [tool.key, twins.get(textOf(tool)) ?? []]));
  return sets.map((set) => ({
    ...set,
    tools,
    queries: set.queries.map((query) => ({
      ...query,
      needs: query.needs.map(
        (need) =>
          new Set([...need].flatMap((key) => [key, ...(twinsOf.get(key) ?? []).map((t) => t.key)])),
      ),
    })),
  }));
}
