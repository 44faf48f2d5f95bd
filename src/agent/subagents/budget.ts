import type { Spending } from '../events/index.ts';
import type { SubagentBudget } from './engine/index.ts';

/** What children may still spend. */
export class Budget {
  readonly #limits: SubagentBudget;
  readonly #spent: () => Spending;

  /** `spent`: what has been spent of it so far. */
  constructor(limits: SubagentBudget = {}, spent: () => Spending) {
    this.#limits = limits;
    this.#spent = spent;
  }

  /** Why no more children begin, for the model; undefined while they may. */
  get spent(): string | undefined {
    const { tokens, cost } = this.#limits;
    const { input, output, cost: paid, unpriced } = this.#spent();
    const isSpent =
      (tokens !== undefined && input + output >= tokens) || (cost !== undefined && paid >= cost);
    if (isSpent) return 'The budget for subagents is spent.';
    const isUncountable = cost !== undefined && unpriced > 0;
    return isUncountable
      ? 'There is a budget in money, and the price of the model is not known.'
      : undefined;
  }

  /** What is left, for children of children; undefined where there is no limit. */
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
