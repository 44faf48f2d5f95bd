import type { SubagentBudget } from '../../config/index.ts';
import type { Spending } from '../events/index.ts';

/** The budget of an agent's children. */
export class Budget {
  readonly #limits: SubagentBudget;
  readonly #spent: () => Spending;

  /** `spent`: returns what was spent of the budget so far. */
  constructor(limits: SubagentBudget = {}, spent: () => Spending) {
    this.#limits = limits;
    this.#spent = spent;
  }

  /** The reason, for the model, why no more children start; undefined while they may start. */
  get exhausted(): string | undefined {
    const { tokens, cost } = this.#limits;
    const { input, output, cost: paid, unpriced } = this.#spent();
    const isSpent =
      (tokens !== undefined && input + output >= tokens) || (cost !== undefined && paid >= cost);
    if (isSpent) return 'The budget for subagents is used up.';
    const isUncountable = cost !== undefined && unpriced > 0;
    return isUncountable
      ? 'The budget is in money, but the price of the model is not known.'
      : undefined;
  }

  /** The remaining budget, for children of children; undefined if there is no limit. */
  left(): SubagentBudget | undefined {
    const { tokens, cost } = this.#limits;
    if (tokens === undefined && cost === undefined) return;
    const { input, output, cost: paid } = this.#spent();
    return {
      ...(tokens === undefined ? {} : { tokens: Math.max(1, tokens - input - output) }),
      ...(cost === undefined ? {} : { cost: Math.max(Number.MIN_VALUE, cost - paid) }),
    };
  }
}
