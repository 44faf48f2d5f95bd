import { WEIGHTS, type Weights } from '../../../packages/core/src/search/fields.ts';
import type { WordVectors } from '../../../packages/core/src/search.ts';
import type { Arguments } from '../arguments.ts';
import { macroEstimate, mean } from '../statistics.ts';
import { interval, markdown, percent } from '../tables.ts';
import { numbersOf } from './numbers.ts';
import { ndcgOf, readTuningSets } from './objective.ts';
import { coordinateSteps, type Step } from './steps.ts';

const ROUNDS = 2;

/**
 * Looks for better weights on the queries for tuning, and prints each step. Changes no file.
 * `vectors` adds them to the search, with their number `meaning`.
 */
export function tune(
  { data, catalogs, sets: only }: Pick<Arguments, 'data' | 'catalogs' | 'sets'>,
  log: (line: string) => void,
  vectors?: WordVectors,
): Weights {
  const { alone, merged } = readTuningSets(data, catalogs, only);
  for (const { name, tools, queries } of alone)
    log(`${name}: ${queries.length} queries for tuning, ${tools.length} tools`);
  log(`together: ${merged[0]?.tools.length ?? 0} tools`);
  const sets = [...alone, ...merged];
  const found = coordinateSteps(WEIGHTS, {
    score: (weights) => mean(ndcgOf(sets, weights, vectors).map(mean)),
    rounds: ROUNDS,
    fixed: vectors ? [] : ['meaning'],
    onSteps: (steps) => log(steps.map(lineOf).join('\n')),
  });
  const names = [
    ...alone.map(({ name }) => name),
    ...merged.map(({ name }) => `${name}, all tools together`),
  ];
  const [before, after] = [WEIGHTS, found.weights].map((w) => ndcgOf(sets, w, vectors));
  log(gainTable(names, before ?? [], after ?? []));
  log(changesTable(WEIGHTS, found.weights));
  return found.weights;
}

/** One value that was tried, with an arrow if it was chosen. Gains are in points of nDCG@10. */
export function lineOf({ round, name, from, to, gain, isChosen }: Step): string {
  const points = `${gain < 0 ? '' : '+'}${(100 * gain).toFixed(2)}`;
  return `round ${round}  ${name.padEnd(26)} ${from} to ${to}: ${points}${isChosen ? '  <- chosen' : ''}`;
}

/** nDCG@10 of each set before and after, and of all, with the gain and its interval in points. */
export function gainTable(
  names: readonly string[],
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
): string {
  const row = (name: string, from: typeof before, to: typeof after) => {
    const gain = macroEstimate(
      to.map((set, s) => set.map((value, q) => value - (from[s]?.[q] ?? 0))),
    );
    const [earlier, later] = [from, to].map((sets) => percent(mean(sets.map(mean))));
    return [name, earlier ?? '', later ?? '', percent(gain.mean), interval(gain)];
  };
  const rows = names.map((name, s) => row(name, [before[s] ?? []], [after[s] ?? []]));
  return markdown(
    ['nDCG@10', 'before', 'after', 'gain', '95 %'],
    [...rows, row('mean', before, after)],
  );
}

/** The numbers that differ. */
export function changesTable(before: Weights, after: Weights): string {
  const earlier = new Map(numbersOf(before).map(({ name, value }) => [name, value]));
  const rows = numbersOf(after)
    .filter(({ name, value }) => earlier.get(name) !== value)
    .map(({ name, value }) => [name, String(earlier.get(name)), String(value)]);
  return rows.length === 0 ? 'No number changes.' : markdown(['number', 'now', 'better'], rows);
}
