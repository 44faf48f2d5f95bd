import type { ToolDocument } from '../../../src/tools/search/index.ts';
import type { QuerySet } from '../data.ts';
import { evenSample } from '../random.ts';
import { type Servers, toolsOf } from '../servers.ts';
import { type Half, halfOf, type Need } from './need.ts';

/** Sentences and queries of other people, with the tools that they are asked of. */
export interface SentenceGroup {
  readonly name: string;
  readonly tools: readonly ToolDocument[];
  readonly queries: readonly { readonly text: string; readonly right: readonly string[] }[];
}

const MAX_QUERIES = 80;
/** The number of servers that an unserved query is asked of. */
const SERVERS = 4;
/** Servers that search the web or pass requests on: they serve too much to leave a need without a tool. */
const GENERAL =
  /brave|tavily|context7|discovery|everything|desktop|chrome|playwright|google-maps|time|azure/;

/**
 * The queries of the sets over their own tools, which serve them, and the same queries over recorded servers,
 * which do not: nearly always, so that the share that is told can only be too low. The servers are held out
 * whole: those with an even number are for calibration, the others for reports.
 */
export function sentenceGroups(
  sets: readonly QuerySet[],
  servers: Servers,
  half: Half,
): SentenceGroup[] {
  const names = [...servers.keys()].filter((name) => !GENERAL.test(name));
  const own = names.filter((_, i) => (i % 2 === 0) === (half === 'calibration'));
  return sets.flatMap(({ name, tools, queries }, at): SentenceGroup[] => {
    const asked = evenSample(queries, MAX_QUERIES);
    const chosen = Array.from({ length: SERVERS }, (_, i) => own[(at * 3 + i) % own.length] ?? '');
    const elsewhere = chosen.flatMap((server) => servers.get(server) ?? []);
    const right = ({ needs }: QuerySet['queries'][number]) => needs.flatMap((need) => [...need]);
    return [
      { name, tools, queries: asked.map((query) => ({ text: query.text, right: right(query) })) },
      {
        name: `${name}, elsewhere`,
        tools: elsewhere,
        queries: asked.map(({ text }) => ({ text, right: [] })),
      },
    ];
  });
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
    name,
    tools: toolsOf(servers, group[0]?.servers ?? []),
    queries: group.map(({ query, right }) => ({ text: query, right })),
  }));
}
