import type { AgentEvent, Spending } from '../events/index.ts';

const NOTHING: Spending = {
  requests: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
  estimated: 0,
};

/** Adds up the cost of requests. */
export class Ledger {
  #spent: Spending;

  constructor(spent: Spending = NOTHING) {
    this.#spent = spent;
  }

  get spent(): Spending {
    return this.#spent;
  }

  /** Adds a usage event, also one nested in subagent events. Ignores other events. */
  take(event: AgentEvent): void {
    if (event.type === 'subagent') this.take(event.event);
    if (event.type !== 'usage') return;
    const { input, cacheRead, cacheWrite, output, cost, isEstimate } = event;
    const unpriced = cost === undefined ? 1 : 0;
    this.#spent = plus(this.#spent, {
      requests: 1,
      input,
      cacheRead,
      cacheWrite,
      output,
      cost: cost ?? 0,
      unpriced,
      estimated: isEstimate ? 1 : 0,
    });
  }
}

/** The sum of both. */
export function plus(one: Spending, other: Spending): Spending {
  const keys = Object.keys(NOTHING) as (keyof Spending)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as unknown as Spending;
}
