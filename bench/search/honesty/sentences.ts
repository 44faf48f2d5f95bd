import type { ToolDocument } from '../../../packages/core/src/search.ts';
import type { QuerySet } from '../data.ts';
import { evenSample, shuffled } from '../random.ts';
import { type Servers, toolsOf } from '../servers.ts';
import { type Half, halfOf, type Need } from './need.ts';

/** Sentences and queries of other people, with the tools that they are asked of. */
export interface SentenceGroup {
  readonly name: string;
  /** What is held out together: a set of tools with all its files of queries, or the needs of this project. */
  readonly set: string;
  readonly tools: readonly ToolDocument[];
  readonly queries: readonly { readonly text: string; readonly right: readonly string[] }[];
}

const MAX_QUERIES = 80;
/** Of so many parts of the queries, each is asked over tools of its own. */
const PARTS = 4;
/** The numbers of servers that the parts of unserved queries are asked of. */
const SERVERS: readonly number[] = [1, 2, 4, 10];
/** The queries of a set that have catalogs of their own. */
const SINGLE = 40;
/** Tools beside the right ones in a small catalog. */
const OTHERS = 60;
/** The same where a query has a catalog of its own, in turn. */
const FEW_OTHERS: readonly number[] = [8, 15, 30];
/** The numbers of tools of another set, in turn. */
const FOREIGN_TOOLS: readonly number[] = [20, 50, 150];
/** Servers that search the web, keep files or pass requests on: they serve too much to leave a need without a tool. */
const GENERAL =
  /filesystem|brave|tavily|context7|discovery|everything|desktop|chrome|playwright|google-maps|time|azure/;

/** The needs of this project, all files together. */
export const NEEDS = 'needs';

/** What a query is asked over. */
export const OWN = '';
export const FEW = ', few tools';
export const VERY_FEW = ', very few tools';
export const ELSEWHERE = ', elsewhere';
export const FOREIGN = ', tools of another set';

/**
 * The queries of the sets over their own tools, which serve them, all or some of these, and the same queries
 * over recorded servers and over some tools of another set, which do not: nearly always, so that the share that
 * is told can only be too low. The servers are held out whole: those with an even number are for calibration,
 * the others for reports.
 */
export function sentenceGroups(
  sets: readonly QuerySet[],
  servers: Servers,
  half: Half,
): SentenceGroup[] {
  const names = [...servers.keys()].filter((name) => !GENERAL.test(name));
  const own = names.filter((_, i) => (i % 2 === 0) === (half === 'calibration'));
  return sets.flatMap(({ name, folder: set, tools, queries }, at): SentenceGroup[] => {
    const asked = evenSample(queries, MAX_QUERIES).map(({ text, needs }) => ({
      text,
      right: needs.flatMap((need) => [...need]),
    }));
    const others = sets.filter(({ folder }) => folder !== set);
    const parts = Array.from({ length: PARTS }, (_, part) => {
      const some = asked.filter((_, i) => i % PARTS === part);
      const order = shuffled(own, at * PARTS + part);
      const elsewhere = order.slice(0, SERVERS[part]).flatMap((one) => servers.get(one) ?? []);
      return [
        { name: name + FEW, set, tools: withOthers(tools, some, OTHERS), queries: some },
        { name: name + ELSEWHERE, set, tools: elsewhere, queries: unserved(some) },
      ];
    });
    const single = evenSample(asked, SINGLE).flatMap((query, i) => {
      const few = withOthers(shuffled(tools, i), [query], inTurn(FEW_OTHERS, i));
      const foreign = shuffled(inTurn(others, i)?.tools ?? [], i).slice(
        0,
        inTurn(FOREIGN_TOOLS, i),
      );
      return [
        { name: name + VERY_FEW, set, tools: few, queries: [query] },
        { name: name + FOREIGN, set, tools: foreign, queries: unserved([query]) },
      ];
    });
    return [{ name: name + OWN, set, tools, queries: asked }, ...parts.flat(), ...single];
  });
}

function inTurn<T>(items: readonly T[], turn: number): T | undefined {
  return items[turn % items.length];
}

function unserved(queries: SentenceGroup['queries']): SentenceGroup['queries'] {
  return queries.map(({ text }) => ({ text, right: [] }));
}

/** The right tools of some queries, and others. */
function withOthers(
  tools: readonly ToolDocument[],
  queries: SentenceGroup['queries'],
  most = 0,
): ToolDocument[] {
  const right = new Set(queries.flatMap((query) => query.right));
  const others = tools.filter(({ key }) => !right.has(key));
  return [...tools.filter(({ key }) => right.has(key)), ...evenSample(others, most)];
}

/** The lines of a file of this project in a half, by their catalogs. */
export function needGroups(
  name: string,
  needs: readonly Need[],
  servers: Servers,
  half: Half,
): SentenceGroup[] {
  const own = needs.filter((need) => halfOf(need) === half);
  return [...Map.groupBy(own, (need) => need.servers.join()).values()].map((group) => ({
    ...{ name, set: NEEDS },
    tools: toolsOf(servers, group[0]?.servers ?? []),
    queries: group.map(({ query, right }) => ({ text: query, right })),
  }));
}
