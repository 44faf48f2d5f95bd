import type { ToolDocument } from '../../packages/core/src/search.ts';
import { type QuerySet, readCatalogs, readTools, setNames } from './data.ts';
import { seeded, shuffled } from './random.ts';

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

/** Whether a set, or the set of a tool's key, holds tools of real MCP servers. */
export function isMcp(setOrKey: string): boolean {
  return /^[^/]*mcp/i.test(setOrKey);
}

/**
 * As many tools as asked. The tools of MCP sets come first, then the others, then copies of the
 * others, whose server and name have a word more. So the right tools of MCP sets are never copied.
 */
export function scaledTools(tools: readonly ToolDocument[], count: number): ToolDocument[] {
  const kept = tools.filter(({ key }) => isMcp(key));
  const others = tools.filter(({ key }) => !isMcp(key));
  const words = [
    ...new Set(others.flatMap(({ name }) => name.toLowerCase().match(/[a-z]{4,}/g) ?? [])),
  ];
  const random = seeded(SEED);
  const word = () => words[Math.floor(random() * words.length)] ?? '';
  const scaled = [...kept, ...others].slice(0, count);
  for (let round = 1; scaled.length < count; round++) {
    for (const tool of others.slice(0, count - scaled.length)) {
      const { key, name, group } = tool;
      const server = group === '' ? '' : `${group}-${word()}`;
      scaled.push({
        ...tool,
        key: `copy ${round} of ${key}`,
        name: `${name}_${word()}`,
        group: server,
      });
    }
  }
  return shuffled(scaled, SEED);
}
