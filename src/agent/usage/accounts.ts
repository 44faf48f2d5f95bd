import type { AgentEvent, Spending } from '../events/index.ts';
import type { Usage } from './meter.ts';
import { Ledger, plus } from './spending.ts';

/** What an agent has spent, by who used its model. */
export class Accounts {
  readonly #own = new Ledger();
  readonly #sampling = new Ledger();
  /** Receives the cost of all children. */
  readonly subagents: Ledger = new Ledger();

  /** Counts a usage of the agent's own model. */
  take(usage: Usage): void {
    (usage.kind === 'sampling' ? this.#sampling : this.#own).take(usage);
  }

  /** Counts the usage of an earlier process: the agent's own, or that of a subagent. */
  restore(event: AgentEvent): void {
    if (event.type === 'usage') this.take(event);
    else this.subagents.take(event);
  }

  get spending(): Readonly<Record<'own' | 'sampling' | 'subagents' | 'total', Spending>> {
    const [own, sampling, subagents] = [
      this.#own.spent,
      this.#sampling.spent,
      this.subagents.spent,
    ];
    return { own, sampling, subagents, total: plus(plus(own, sampling), subagents) };
  }
}
