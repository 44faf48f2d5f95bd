import type { Plan } from './plan.ts';
import { type Failure, play } from './session.ts';

/** The shortest part of a plan that fails in the same way. */
export interface Shrunk {
  readonly turns: readonly number[];
  readonly failure: Failure;
}

/**
 * Removes turns, halves first, as long as the rest violates the same check. Each turn has its own
 * seed, so removing one turn does not change the others.
 */
export async function shrink(
  plan: Plan,
  failure: Failure,
  replays: number,
  ignored?: RegExp,
): Promise<Shrunk> {
  let best: Shrunk = { turns: [...plan.steps.keys()].slice(0, failure.turn + 1), failure };
  let left = replays;
  let size = Math.ceil(best.turns.length / 2);
  while (size >= 1 && left > 0) {
    let isShorter = false;
    for (let at = 0; at < best.turns.length && left > 0; ) {
      const turns = best.turns.toSpliced(at, size);
      if (turns.length === 0) break;
      left--;
      const found = await play(partOf(plan, turns), ignored);
      if (found?.check === failure.check) {
        best = { turns: turns.slice(0, found.turn + 1), failure: found };
        isShorter = true;
      } else at += size;
    }
    if (size === 1 && !isShorter) break;
    size = size === 1 ? 1 : Math.floor(size / 2);
  }
  return best;
}

/** Some turns of a plan. */
export function partOf(plan: Plan, turns: readonly number[]): Plan {
  return { ...plan, steps: plan.steps.filter((_, turn) => turns.includes(turn)) };
}
