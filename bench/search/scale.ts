import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Arguments } from './arguments.ts';
import type { Method } from './method.ts';
import { markdown, milliseconds, percent } from './tables.ts';

/** Numbers of tools, and those of which only our own ways are measured. */
const SIZES = [10_000, 26_000, 50_000];
const OWN_SIZES: readonly number[] = [26_000];

/** The kinds of queries by their number of words. */
export const LENGTHS = { short: [2, 4], sentence: [8, 20], long: [40, 1_000] } as const;
export type Length = keyof typeof LENGTHS;

/** What one process measures. */
export interface ScaleTask extends Pick<Arguments, 'data' | 'catalogs' | 'part'> {
  readonly method: string;
  readonly size: number;
}

/** Mean and 95th percentile in milliseconds, and the number of timed queries. */
interface Times {
  readonly mean: number;
  readonly p95: number;
  readonly queries: number;
}

/** What one method does with many tools. */
export interface Scaled {
  readonly method: string;
  readonly tools: number;
  readonly indexMs: number;
  /** Bytes of the index: the heap after garbage collection, less the heap before. */
  readonly bytes: number;
  /** Means over the queries of the MCP sets. Absent if they would take too long. */
  readonly quality?: { readonly r5: number; readonly ndcg: number };
  readonly times: Readonly<Record<Length, Times>>;
}

/** Measures each method at each size in a process of its own, so that none inherits a heap. */
export async function measureScale(
  methods: readonly Method[],
  options: Arguments,
  log: (line: string) => void,
): Promise<Scaled[]> {
  const results: Scaled[] = [];
  for (const size of SIZES) {
    for (const { id, title, isOurs } of methods) {
      if (!isOurs && OWN_SIZES.includes(size)) continue;
      const { data, catalogs, part } = options;
      const scaled = await inProcess({ method: id, size, data, catalogs, part });
      const { sentence } = scaled.times;
      log(`${title}, ${size} tools: ${milliseconds(sentence.mean)} ms for a sentence`);
      results.push(scaled);
    }
  }
  return results;
}

async function inProcess(task: ScaleTask): Promise<Scaled> {
  const file = fileURLToPath(new URL('scale-process.ts', import.meta.url));
  const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
  const args = [...flags, file, JSON.stringify(task)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

/** A row for each size and method. */
export function scaleTable(scaled: readonly Scaled[], titles: ReadonlyMap<string, string>): string {
  const rows = scaled.map(({ method, tools, quality, times, indexMs, bytes }) => [
    titles.get(method) ?? method,
    tools.toLocaleString('en-US'),
    quality ? percent(quality.r5) : '',
    quality ? percent(quality.ndcg) : '',
    ...Object.values(times).map(({ mean, p95 }) => `${milliseconds(mean)} (${milliseconds(p95)})`),
    Object.values(times)
      .map(({ queries }) => queries)
      .join(', '),
    indexMs.toFixed(0),
    (bytes / 2 ** 20).toFixed(0),
  ]);
  const times = Object.keys(LENGTHS).map((length) => `${length} ms (p95)`);
  const numbers = [...times, 'queries timed', 'index ms', 'memory MB'];
  return markdown(['method', 'tools', 'R@5', 'nDCG@10', ...numbers], rows);
}
