import type { Meter } from './meter.ts';
import { type Steps, stepsOf } from './pattern-steps.ts';

/** The limit of all different patterns of one schema together, in characters. Further patterns are not checked. */
const MAX_CHARACTERS = 20_000;
/** The limit of work to read a single pattern, in units. */
const MAX_COST = 5_000;

/** The analysis of a pattern before it is matched against a text. */
export type Assessment =
  | { readonly kind: 'broken' | 'unchecked' }
  | { readonly kind: 'fine'; readonly steps: Steps };

/** Analyzes each pattern of a schema once. */
export class PatternBook {
  readonly #assessed = new Map<string, Assessment>();
  #left = MAX_CHARACTERS;

  assess(pattern: string, meter: Meter): Assessment {
    const known = this.#assessed.get(pattern);
    if (known) return known;
    const cost = costOf(pattern);
    const left = this.#left - pattern.length - 1;
    const isFine = left >= 0 && cost <= MAX_COST;
    if (isFine) meter.spend(cost);
    this.#left = left;
    const assessed: Assessment = isFine ? assess(pattern) : { kind: 'unchecked' };
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

function assess(pattern: string): Assessment {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return { kind: 'broken' };
  }
  const steps = stepsOf(pattern);
  return steps ? { kind: 'fine', steps } : { kind: 'unchecked' };
}
