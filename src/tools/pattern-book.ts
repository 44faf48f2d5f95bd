import type { Meter } from './meter.ts';
import { type Steps, stepsOf } from './pattern-steps.ts';

/** Characters of different patterns that are judged for one schema; the rest is not checked. */
const MAX_CHARACTERS = 20_000;

/** What is known of a pattern before anything is matched against it. */
export type Judged =
  | { readonly kind: 'broken' | 'unchecked' }
  | { readonly kind: 'fine'; readonly steps: Steps };

/** Judges each pattern of a schema once. */
export class PatternBook {
  readonly #judged = new Map<string, Judged>();
  #left = MAX_CHARACTERS;

  judge(pattern: string, meter: Meter): Judged {
    const known = this.#judged.get(pattern);
    if (known) return known;
    if (pattern.length <= this.#left) meter.spend(costOf(pattern));
    this.#left -= pattern.length + 1;
    const judged: Judged = this.#left < 0 ? { kind: 'unchecked' } : judge(pattern);
    if (this.#left >= 0) this.#judged.set(pattern, judged);
    return judged;
  }
}

/** Units of work to read a pattern; classes of Unicode are large. */
function costOf(pattern: string): number {
  return 20 + pattern.length + 200 * (pattern.match(/\\p\{/gi)?.length ?? 0);
}

function judge(pattern: string): Judged {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return { kind: 'broken' };
  }
  const steps = stepsOf(pattern);
  return steps ? { kind: 'fine', steps } : { kind: 'unchecked' };
}
