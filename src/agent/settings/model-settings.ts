import type { StrategyChoice } from '../../tools/strategies/index.ts';
import type { TokenPrice } from '../usage/index.ts';

/** Settings of one model. */
export interface ModelSettings {
  readonly maxRounds?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  readonly strategy?: StrategyChoice | undefined;
  /** Used for `agent.spending` and for budgets in money. */
  readonly price?: TokenPrice | undefined;
}
