import { stepsOf } from '../patterns/index.ts';
import type { Run } from './run.ts';

/** The limit of all different patterns of one schema together, in characters. Further patterns are not checked. */
const MAX_CHARACTERS = 20_000;
/** The limits of work to read a single pattern, and to match it once, in units. */
const MAX_COST = 5_000;
const MAX_MATCH = 20_000;
/** The steps of a match that are one unit of work. */
const STEPS = 50;

/** Whether a text matches a pattern; undefined if the match may take too long. */
export type Matcher = (text: string, run: Run) => boolean | undefined;

/** Why a part of a schema is not checked: it is malformed, or may take too long. */
export type Flaw = 'odd' | 'costly';

/** Analyzes each pattern of a schema once. */
export class PatternBook {
  readonly #assessed = new Map<string, Matcher | Flaw>();
  #left = MAX_CHARACTERS;

  /** How to match a pattern, or why it is not checked. */
  assess(pattern: string, run: Run): Matcher | Flaw {
    const known = this.#assessed.get(pattern);
    if (known) return known;
    this.#left -= pattern.length + 1;
    if (this.#left < 0) return 'costly';
    const cost = costOf(pattern);
    if (cost <= MAX_COST) run.spend(cost);
    const assessed = cost <= MAX_COST ? assess(pattern) : 'costly';
    this.#assessed.set(pattern, assessed);
    return assessed;
  }
}

/** Units of work to read a pattern: each of its classes is tested on sample characters. */
function costOf(pattern: string): number {
  const classes = pattern.match(/[[\\]/g)?.length ?? 0;
  const properties = pattern.match(/\\p\{/gi)?.length ?? 0;
  const samples = 135 + 3 * pattern.length;
  return 20 + pattern.length + (classes * samples) / 20 + 200 * properties;
}

function assess(pattern: string): Matcher | Flaw {
  try {
    const expression = new RegExp(pattern, 'u');
    const steps = stepsOf(pattern);
    if (!steps) return 'costly';
    return (text, run) => {
      const units = 1 + steps(text.length) / STEPS;
      return units <= MAX_MATCH && run.afford(units) ? expression.test(text) : undefined;
    };
  } catch {
    return 'odd';
  }
}
