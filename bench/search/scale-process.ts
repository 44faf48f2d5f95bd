/** Measures one method with many tools, and prints the result as JSON. Started by `scale.ts`. */
import { type Query, readSets } from './data.ts';
import { cpuMilliseconds, indexOf } from './measure.ts';
import { allTools, isMcp, mergedSets, scaledTools } from './merge.ts';
import type { Index, Method } from './method.ts';
import { METHODS } from './methods/index.ts';
import { DEPTH, type Quality, qualityOf } from './quality.ts';
import { evenSample, shuffled } from './random.ts';
import { LENGTHS, type Length, type Scaled, type ScaleTask } from './scale.ts';
import { mean, quantile } from './statistics.ts';

/** Queries of each length, and of the MCP sets. */
const MAX_QUERIES = 100;
/**
 * Queries that are not timed, again and again until they have taken this CPU time: the first ones run
 * slower, because the compiler has not seen them. The figures are those of a process that runs for a while.
 */
const WARM_UP = { least: 1, ms: 1_000 };
/** The CPU time for the queries of a length, after which no further one is timed, and for those of the MCP sets. */
const CPU_LIMIT_MS = { length: 1_500, sets: 6_000 };
/** The first queries of the MCP sets, by which it is decided whether all of them take too long. */
const FIRST_ASKED = 5;
/** The fewest queries of a length that are timed. */
const LEAST_TIMED = 3;
/** The queries are timed in this order, so that those of a slow way are a fair sample. */
const SEED = 3;

const { method: id, size, data, catalogs, part }: ScaleTask = JSON.parse(process.argv[2] ?? '');
const method = METHODS.find((known) => known.id === id);
if (method === undefined) throw new Error(`There is no method "${id}".`);
console.log(JSON.stringify(await measureMany(method)));

async function measureMany(method: Method): Promise<Scaled> {
  const sets = readSets(data, part);
  const tools = scaledTools(allTools(data, catalogs), size);
  const before = await heap();
  const { index, ms: indexMs } = await indexOf(method, tools);
  const bytes = (await heap()) - before + (index.bytes?.() ?? 0);
  const texts = sets.flatMap(({ queries }) => queries.map(({ text }) => text));
  const times: Partial<Record<Length, Scaled['times'][Length]>> = {};
  for (const length of Object.keys(LENGTHS) as Length[]) {
    const [least, most] = LENGTHS[length];
    const fitting = texts.filter((text) => {
      const words = text.trim().split(/\s+/).length;
      return words >= least && words <= most;
    });
    times[length] = await timesOf(index, shuffled(evenSample(fitting, MAX_QUERIES), SEED));
  }
  const asked = mergedSets(
    sets.filter(({ folder }) => isMcp(folder)),
    tools,
  ).map(({ queries }) => evenSample(queries, MAX_QUERIES));
  const quality = await qualityIn(index, asked);
  index.close?.();
  return {
    ...{ method: id, tools: tools.length, indexMs, bytes },
    ...(quality && { quality }),
    times: times as Scaled['times'],
  };
}

/** Bytes in use after garbage collection, with those of typed arrays, which need more than one. */
async function heap(): Promise<number> {
  for (let pass = 0; pass < 5; pass++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function timesOf(index: Index, queries: readonly string[]): Promise<Scaled['times'][Length]> {
  const warm = cpuMilliseconds();
  for (let at = 0; at < WARM_UP.least || cpuMilliseconds() - warm < WARM_UP.ms; at++)
    await index.search(queries[at % queries.length] ?? '', DEPTH);
  const times: number[] = [];
  const begin = cpuMilliseconds();
  for (const query of queries) {
    const start = performance.now();
    const { ms } = await index.search(query, DEPTH);
    times.push(ms ?? performance.now() - start);
    if (times.length >= LEAST_TIMED && cpuMilliseconds() - begin > CPU_LIMIT_MS.length) break;
  }
  return { mean: mean(times), p95: quantile(times, 0.95), queries: times.length };
}

/** Undefined if the queries would take too long, as far as the first ones tell. */
async function qualityIn(
  index: Index,
  sets: readonly (readonly Query[])[],
): Promise<Scaled['quality']> {
  const all = sets.flat().length;
  const begin = cpuMilliseconds();
  const means: { r5: number; ndcg: number }[] = [];
  let asked = 0;
  for (const queries of sets) {
    const qualities: Quality[] = [];
    for (const query of queries) {
      qualities.push(qualityOf((await index.search(query.text, DEPTH)).keys, query));
      const ms = cpuMilliseconds() - begin;
      if (++asked === FIRST_ASKED && (ms / asked) * all > CPU_LIMIT_MS.sets) return;
    }
    means.push({
      r5: mean(qualities.map(({ r5 }) => r5)),
      ndcg: mean(qualities.map(({ ndcg }) => ndcg)),
    });
  }
  return { r5: mean(means.map(({ r5 }) => r5)), ndcg: mean(means.map(({ ndcg }) => ndcg)) };
}
