import type { ToolDocument } from '../../../src/tools/search/index.ts';
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
/** The number of servers that an unserved query is asked of. */
const SERVERS = 4;
/** Tools beside the right ones in a small catalog. */
const OTHERS = 60;
/** Servers that search the web, keep files or pass requests on: they serve too much to leave a need without a tool. */
const GENERAL =
  /filesystem|brave|tavily|context7|discovery|everything|desktop|chrome|playwright|google-maps|time|azure/;

/**
 * The queries of the sets over their own tools, which serve them, all or some of these, and the same queries
 * over recorded servers, which do not: nearly always, so that the share that is told can only be too low. The
 * servers are held out whole: those with an even number are for calibration, the others for reports.
 */
export function sentenceGroups(
  sets: readonly QuerySet[],
  servers: Servers,
  half: Half,
): SentenceGroup[] {
  const names = [...servers.keys()].filter((name) => !GENERAL.test(name));
  const own = names.filter((_, i) => (i % 2 === 0) === (half === 'calibration'));
  return sets.flatMap(({ name, folder, tools, queries }, at): SentenceGroup[] => {
    const asked = evenSample(queries, MAX_QUERIES).map(({ text, needs }) => ({
      text,
      right: needs.flatMap((need) => [...need]),
    }));
    const set = folder;
    const parts = Array.from({ length: PARTS }, (_, part) => {
      const some = asked.filter((_, i) => i % PARTS === part);
      const order = shuffled(own, at * PARTS + part);
      const elsewhere = order.slice(0, SERVERS).flatMap((server) => servers.get(server) ?? []);
      return [
        { name: `${name}, few tools`, set, tools: fewTools(tools, some), queries: some },
        {
          name: `${name}, elsewhere`,
          ...{ set, tools: elsewhere, queries: some.map(({ text }) => ({ text, right: [] })) },
        },
      ];
    });
    return [{ name, set, tools, queries: asked }, ...parts.flat()];
  });
}

/** The right tools of some queries, and others. */
function fewTools(
  tools: readonly ToolDocument[],
  queries: SentenceGroup['queries'],
): ToolDocument[] {
  const right = new Set(queries.flatMap((query) => query.right));
  const others = tools.filter(({ key }) => !right.has(key));
  return [...tools.filter(({ key }) => right.has(key)), ...evenSample(others, OTHERS)];
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
    ...{ name, set: 'needs' },
    tools: toolsOf(servers, group[0]?.servers ?? []),
    queries: group.map(({ query, right }) => ({ text: query, right })),
  }));
}
