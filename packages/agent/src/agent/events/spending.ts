import { pick } from '@toolfold/core/internal/tools/values';
import type { AgentEvent, Spending } from './events.ts';

/** No requests. */
export const NOTHING_SPENT: Spending = {
  requests: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
  estimated: 0,
};

/** The spending with a usage event, also one nested in subagent events. Other events change nothing. */
export function withUsage(spent: Spending, event: AgentEvent): Spending {
  if (event.type === 'subagent') return withUsage(spent, event.event);
  if (event.type !== 'usage') return spent;
  const { cost = 0, isEstimate } = event;
  return plus(spent, {
    ...pick(event, 'input', 'cacheRead', 'cacheWrite', 'output'),
    ...{ requests: 1, cost, unpriced: event.cost === undefined ? 1 : 0 },
    estimated: isEstimate ? 1 : 0,
  });
}

/** The sum of both. */
export function plus(one: Spending, other: Spending): Spending {
  const keys = Object.keys(NOTHING_SPENT) as (keyof Spending)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as unknown as Spending;
}

/** What an agent has spent, by who used its model. */
export class Accounts {
  readonly #spent = { own: NOTHING_SPENT, sampling: NOTHING_SPENT, subagents: NOTHING_SPENT };

  /** Counts a usage event: the agent's own, that of an MCP server, or that of a subagent. */
  take(event: AgentEvent): void {
    const own = event.type === 'usage' && event.kind === 'sampling' ? 'sampling' : 'own';
    const of = event.type === 'usage' ? own : 'subagents';
    this.#spent[of] = withUsage(this.#spent[of], event);
  }

  get spending(): Readonly<Record<'own' | 'sampling' | 'subagents' | 'total', Spending>> {
    const { own, sampling, subagents } = this.#spent;
    return { own, sampling, subagents, total: plus(plus(own, sampling), subagents) };
  }
}
