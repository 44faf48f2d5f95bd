import type { WordVectors } from '../../../src/tools/search/index.ts';
import { WEIGHTS, type Weights } from '../../../src/tools/search/terms/index.ts';
import type { Arguments } from '../arguments.ts';
import { markdown, percent } from '../tables.ts';
import { numbersOf } from './numbers.ts';
import { ndcgOf, readTuningSets } from './objective.ts';
import { coordinateSteps, type Step } from './steps.ts';

const ROUNDS = 2;

/**
 * Looks for better weights on the queries for tuning, and prints each step. Changes no file.
 * `vectors` adds them to the search, with their number `meaning`.
 */
export function tune(
  { data, catalogs, sets }: Pick<Arguments, 'data' | 'catalogs' | 'sets'>,
  log: (line: string) => void,
  vectors?: WordVectors,
): Weights {
  const { alone, merged } = readTuningSets(data, catalogs, sets);
  for (const { name, tools, queries } of alone)
    log(`${name}: ${queries.length} queries for tuning, ${tools.length} tools`);
  log(`together: ${merged[0]?.tools.length ?? 0} tools`);
  const both = (weights: Weights) => ({
    alone: ndcgOf(alone, weights, vectors),
    merged: ndcgOf(merged, weights, vectors),
  });
  const found = coordinateSteps(WEIGHTS, {
    score: (weights) => {
      const score = both(weights);
      return (score.alone + score.merged) / 2;
    },
    rounds: ROUNDS,
    fixed: vectors ? [] : ['meaning'],
    onSteps: (steps) => log(steps.map(lineOf).join('\n')),
  });
  log(`nDCG@10: ${percent(found.before)} before, ${percent(found.after)} after`);
  const [before, after] = [both(WEIGHTS), both(found.weights)];
  const row = (title: string, key: 'alone' | 'merged') => [
    title,
    percent(before[key]),
    percent(after[key]),
  ];
  const rows = [row('each set alone', 'alone'), row('all tools together', 'merged')];
  log(markdown(['nDCG@10', 'before', 'after'], rows));
  log(changesTable(WEIGHTS, found.weights));
  return found.weights;
}

/** One value that was tried, with an arrow if it was chosen. Gains are in points of nDCG@10. */
export function lineOf({ round, name, from, to, gain, isChosen }: Step): string {
  const points = `${gain < 0 ? '' : '+'}${(100 * gain).toFixed(2)}`;
  return `round ${round}  ${name.padEnd(26)} ${from} to ${to}: ${points}${isChosen ? '  <- chosen' : ''}`;
}

/** The numbers that differ. */
export function changesTable(before: Weights, after: Weights): string {
  const earlier = new Map(numbersOf(before).map(({ name, value }) => [name, value]));
  const rows = numbersOf(after)
    .filter(({ name, value }) => earlier.get(name) !== value)
    .map(({ name, value }) => [name, String(earlier.get(name)), String(value)]);
  return rows.length === 0 ? 'No number changes.' : markdown(['number', 'now', 'better'], rows);
}
