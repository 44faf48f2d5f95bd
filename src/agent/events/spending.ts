import { pick } from '../../tools/values/index.ts';
import type { AgentEvent, Spending } from './events.ts';

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
    const { cost = 0, isEstimate } = event;
    this.#spent = plus(this.#spent, {
      ...pick(event, 'input', 'cacheRead', 'cacheWrite', 'output'),
      ...{ requests: 1, cost, unpriced: event.cost === undefined ? 1 : 0 },
      estimated: isEstimate ? 1 : 0,
    });
  }
}

/** The sum of both. */
export function plus(one: Spending, other: Spending): Spending {
  const keys = Object.keys(NOTHING) as (keyof Spending)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as unknown as Spending;
}

/** What an agent has spent, by who used its model. */
export class Accounts {
  readonly #ledgers = { own: new Ledger(), sampling: new Ledger(), subagents: new Ledger() };

  /** Counts a usage event: the agent's own, that of an MCP server, or that of a subagent. */
  restore(event: AgentEvent): void {
    const { own, sampling, subagents } = this.#ledgers;
    if (event.type !== 'usage') subagents.take(event);
    else (event.kind === 'sampling' ? sampling : own).take(event);
  }

  get spending(): Readonly<Record<'own' | 'sampling' | 'subagents' | 'total', Spending>> {
    const { own, sampling, subagents } = this.#ledgers;
    const spent = { own: own.spent, sampling: sampling.spent, subagents: subagents.spent };
    return { ...spent, total: plus(plus(spent.own, spent.sampling), spent.subagents) };
  }
}
