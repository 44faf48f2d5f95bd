import type { ToolDocument } from '../../packages/core/src/search.ts';
import type { QuerySet } from './data.ts';
import type { Index, Method } from './method.ts';
import { DEPTH, type Quality, qualityOf } from './quality.ts';

/** The CPU time in which a method must answer the queries of a set. */
const CPU_LIMIT_MS = 60_000;

/** Asked of every index before it is measured. */
export const FIRST_QUERY = 'issue';

/** CPU time of this process: it does not depend on what else runs on the machine. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What one method did on one set. */
export interface Measured {
  readonly method: string;
  readonly set: string;
  readonly indexMs: number;
  /** In the order of the queries. Shorter than the queries if the method was stopped. */
  readonly qualities: readonly Quality[];
  readonly times: readonly number[];
  readonly stopped: boolean;
}

/** Indexes the tools of each set and asks its queries. Sets with the same list share an index. */
export async function measureAll(
  methods: readonly Method[],
  sets: readonly QuerySet[],
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const lists = Map.groupBy(sets, ({ tools }) => tools);
  for (const [tools, group] of lists) {
    for (const method of methods) {
      const { index, ms } = await indexOf(method, tools);
      for (const set of group) measured.push(await measure(method, set, index, ms));
      index.close?.();
    }
  }
  return measured;
}

/** The time includes a first query: some methods finish their index then. */
export async function indexOf(
  method: Method,
  tools: readonly ToolDocument[],
): Promise<{ readonly index: Index; readonly ms: number }> {
  const start = performance.now();
  const index = await method.index(tools);
  await index.search(FIRST_QUERY, 1);
  return { index, ms: performance.now() - start };
}

/** Stops a method that is too slow. */
async function measure(
  method: Method,
  set: QuerySet,
  index: Index,
  indexMs: number,
): Promise<Measured> {
  const qualities: Quality[] = [];
  const times: number[] = [];
  const start = cpuMilliseconds();
  let stopped = false;
  for (const query of set.queries) {
    stopped = !method.isOurs && cpuMilliseconds() - start > CPU_LIMIT_MS;
    if (stopped) break;
    const asked = performance.now();
    const { keys, ms } = await index.search(query.text, DEPTH);
    times.push(ms ?? performance.now() - asked);
    qualities.push(qualityOf(keys, query));
  }
  return { method: method.id, set: set.name, indexMs, qualities, times, stopped };
}
