import type { Spending } from '../events/index.ts';
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

  get spending(): Readonly<Record<'own' | 'sampling' | 'subagents' | 'total', Spending>> {
    const [own, sampling, subagents] = [
      this.#own.spent,
      this.#sampling.spent,
      this.subagents.spent,
    ];
    return { own, sampling, subagents, total: plus(plus(own, sampling), subagents) };
  }
}
