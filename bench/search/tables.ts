import type { QuerySet } from './data.ts';
import type { Measured } from './measure.ts';
import type { Method } from './method.ts';
import { MEASURES, type Quality } from './quality.ts';
import { type Estimate, macroEstimate, mean, quantile } from './statistics.ts';

/** What all methods did on all sets. */
export interface Results {
  readonly methods: readonly Pick<Method, 'id' | 'title' | 'isOurs'>[];
  readonly sets: readonly QuerySet[];
  readonly measured: readonly Measured[];
}

const HEADINGS = ['R@1', 'R@3', 'R@5', 'R@10', 'MRR', 'nDCG@10', 'all@10'];

/** The rows as a Markdown table. The first `words` columns hold words, the others numbers. */
export function markdown(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  words = 1,
): string {
  const rule = headings.map((_, column) => (column < words ? '---' : '--:'));
  return [headings, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** A share in percent with one decimal. */
export function percent(value: number): string {
  return (100 * value).toFixed(1);
}

export function interval({ low, high }: Estimate): string {
  return `${percent(low)} to ${percent(high)}`;
}

export function milliseconds(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** What a method did on a set. Empty for a pair that was not measured. */
function of(results: Results, method: string, set: string): Measured | undefined {
  return results.measured.find((row) => row.method === method && row.set === set);
}

/** The values of one measure, a list for each set. Undefined if the method was stopped on one. */
export function samples(
  results: Results,
  method: string,
  measure: keyof Quality,
): number[][] | undefined {
  const rows = results.sets.map(({ name }) => of(results, method, name));
  if (rows.some((row) => row === undefined || row.stopped)) return;
  return rows.map((row) => row?.qualities.map((quality) => quality[measure]) ?? []);
}

/** A row for each method: the mean over the sets of each measure, and times. */
export function macroTable(results: Results): string {
  const rows = results.methods.map(({ id, title }) => {
    const measured = results.measured.filter(({ method }) => method === id);
    const stopped = measured.filter((row) => row.stopped).map(({ set }) => set);
    if (stopped.length > 0)
      return [title, ...HEADINGS.map(() => ''), `stopped on ${stopped.join(', ')}`, '', '', ''];
    const ndcg = macroEstimate(samples(results, id, 'ndcg') ?? []);
    return [
      title,
      ...MEASURES.map((measure) => percent(mean((samples(results, id, measure) ?? []).map(mean)))),
      interval(ndcg),
      milliseconds(mean(measured.map(({ times }) => mean(times)))),
      milliseconds(mean(measured.map(({ times }) => quantile(times, 0.95)))),
      milliseconds(mean(measured.map(({ indexMs }) => indexMs))),
    ];
  });
  return markdown(['method', ...HEADINGS, 'nDCG@10, 95 %', 'mean ms', 'p95 ms', 'index ms'], rows);
}

/** A row for each set with nDCG@10 of every method. */
export function ndcgTable(results: Results): string {
  const { methods, sets } = results;
  const rows = sets.map(({ name, tools, queries }) => [
    name,
    ...[tools.length, queries.length].map((count) => count.toLocaleString('en-US')),
    ...methods.map(({ id }) => {
      const row = of(results, id, name);
      return row === undefined || row.stopped
        ? ''
        : percent(mean(row.qualities.map((q) => q.ndcg)));
    }),
  ]);
  return markdown(['set', 'tools', 'queries', ...methods.map(({ title }) => title)], rows);
}

/** A row for each method and set. */
export function setTable(results: Results): string {
  const rows = results.sets.flatMap(({ name, tools, queries }) =>
    results.methods.flatMap(({ id, title }) => {
      const row = of(results, id, name);
      if (row === undefined) return [];
      const size = [String(tools.length), String(queries.length)];
      if (row.stopped) {
        const after = `stopped after ${row.qualities.length} of ${queries.length}`;
        return [[name, title, ...size, ...HEADINGS.map(() => ''), after, '', '', '']];
      }
      return [
        [
          ...[name, title, ...size],
          ...MEASURES.map((measure) => percent(mean(row.qualities.map((q) => q[measure])))),
          interval(macroEstimate([row.qualities.map(({ ndcg }) => ndcg)])),
          milliseconds(mean(row.times)),
          milliseconds(quantile(row.times, 0.95)),
          milliseconds(row.indexMs),
        ],
      ];
    }),
  );
  return markdown(
    [
      ...['set', 'method', 'tools', 'queries', ...HEADINGS],
      ...['nDCG@10, 95 %', 'mean ms', 'p95 ms', 'index ms'],
    ],
    rows,
    2,
  );
}

/**
 * For each measure, how far each of our methods is from the best other method of that measure, in
 * points, over the same queries. Empty if there is no other method.
 */
export function differenceTable(results: Results): string {
  const ours = results.methods.filter(({ isOurs }) => isOurs);
  const rows = ours.flatMap(({ id, title }) =>
    (['r1', 'r5', 'ndcg', 'all10'] as const).flatMap((measure) => {
      const mine = samples(results, id, measure);
      const best = bestPeer(results, measure);
      if (mine === undefined || best === undefined) return [];
      const pairs = mine.map((set, s) => set.map((value, q) => value - (best.values[s]?.[q] ?? 0)));
      const difference = macroEstimate(pairs);
      const heading = HEADINGS[MEASURES.indexOf(measure)] ?? '';
      return [[title, best.title, heading, signed(difference.mean), interval(difference)]];
    }),
  );
  if (rows.length === 0) return '';
  return markdown(['method', 'best other', 'measure', 'difference', '95 %'], rows, 3);
}

interface Peer {
  readonly title: string;
  readonly values: readonly (readonly number[])[];
}

function bestPeer(results: Results, measure: keyof Quality): Peer | undefined {
  const peers = results.methods.flatMap(({ id, title, isOurs }): Peer[] => {
    const values = isOurs ? undefined : samples(results, id, measure);
    return values === undefined ? [] : [{ title, values }];
  });
  const score = ({ values }: Peer) => mean(values.map(mean));
  return peers.sort((a, b) => score(b) - score(a))[0];
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${percent(value)}`;
}
