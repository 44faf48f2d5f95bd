import { type Steps, stepsOf } from '../patterns/index.ts';
import type { Run } from './run.ts';

/** The limit of all different patterns of one schema together, in characters. Further patterns are not checked. */
const MAX_CHARACTERS = 20_000;
/** The limits of work to read a single pattern, and to match it once, in units. */
const MAX_COST = 5_000;
const MAX_MATCH = 20_000;
/** The steps of a match that are one unit of work. */
const STEPS = 50;

/** A regular expression whose work is known before it is matched against a text. */
export class Pattern {
  readonly #expression: RegExp;
  readonly #steps: Steps;

  constructor(expression: RegExp, steps: Steps) {
    this.#expression = expression;
    this.#steps = steps;
  }

  /** Undefined if the match may take too long. */
  matches(text: string, run: Run): boolean | undefined {
    const units = 1 + this.#steps(text.length) / STEPS;
    return units <= MAX_MATCH && run.afford(units) ? this.#expression.test(text) : undefined;
  }
}

/** Analyzes each pattern of a schema once. */
export class PatternBook {
  readonly #assessed = new Map<string, Pattern | 'broken' | 'unchecked'>();
  #left = MAX_CHARACTERS;

  assess(pattern: string, run: Run): Pattern | 'broken' | 'unchecked' {
    const known = this.#assessed.get(pattern);
    if (known) return known;
    const cost = costOf(pattern);
    const left = this.#left - pattern.length - 1;
    const isFine = left >= 0 && cost <= MAX_COST;
    if (isFine) run.spend(cost);
    this.#left = left;
    const assessed = isFine ? assess(pattern) : 'unchecked';
    if (this.#left >= 0) this.#assessed.set(pattern, assessed);
    return assessed;
  }
}

/** Units of work to read a pattern: each of its classes is tested on sample characters. */
function costOf(pattern: string): number {
  if (pattern.length > MAX_CHARACTERS) return Number.POSITIVE_INFINITY;
  const classes = pattern.match(/[[\\]/g)?.length ?? 0;
  const properties = pattern.match(/\\p\{/gi)?.length ?? 0;
  const samples = 135 + 3 * pattern.length;
  return 20 + pattern.length + (classes * samples) / 20 + 200 * properties;
}

function assess(pattern: string): Pattern | 'broken' | 'unchecked' {
  try {
    const expression = new RegExp(pattern, 'u');
    const steps = stepsOf(pattern);
    return steps ? new Pattern(expression, steps) : 'unchecked';
  } catch {
    return 'broken';
  }
}
