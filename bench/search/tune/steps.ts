import type { Weights } from '../../../packages/core/src/search/fields.ts';
import { candidatesOf, numbersOf } from './numbers.ts';

/** A smaller gain of nDCG is not worth a change: the queries are too few to show it. */
export const MIN_GAIN = 0.0005;

/** One value that was tried for one number. */
export interface Step {
  readonly round: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The change of the score. */
  readonly gain: number;
  /** Whether the value was taken over. */
  readonly isChosen: boolean;
}

export interface StepOptions {
  /** How good weights are; higher is better. */
  readonly score: (weights: Weights) => number;
  readonly rounds: number;
  /** Numbers that are left as they are. */
  readonly fixed?: readonly string[];
  /** Called after the values of each number. */
  readonly onSteps?: (steps: readonly Step[]) => void;
}

/**
 * Coordinate steps: changes one number after another to the best of its candidates, if that gains
 * enough. Ends after a round without a change, and after `rounds` rounds.
 */
export function coordinateSteps(
  start: Weights,
  { score, rounds, fixed = [], onSteps }: StepOptions,
): { readonly weights: Weights; readonly before: number; readonly after: number } {
  const before = score(start);
  let weights = start;
  let best = before;
  for (let round = 1; round <= rounds; round++) {
    const names = numbersOf(weights).map(({ name }) => name);
    const earlier = best;
    for (const name of names.filter((one) => !fixed.includes(one))) {
      const number = numbersOf(weights).find((one) => one.name === name);
      if (number === undefined) continue;
      const tried = candidatesOf(number).map((to) => ({ to, score: score(number.changed(to)) }));
      const [first] = tried.toSorted((a, b) => b.score - a.score);
      const chosen = first !== undefined && first.score - best >= MIN_GAIN ? first : undefined;
      const at = best;
      onSteps?.(
        tried.map((one) => ({
          ...{ round, name, from: number.value, to: one.to },
          ...{ gain: one.score - at, isChosen: one === chosen },
        })),
      );
      if (chosen === undefined) continue;
      weights = number.changed(chosen.to);
      best = chosen.score;
    }
    if (best === earlier) break;
  }
  return { weights, before, after: best };
}
