import type { StrategyChoice } from '../../tools/strategies/index.ts';
import type { TokenPrice } from '../usage/index.ts';
/** What a model is given, by `provider/name` or by its bare name. */
export interface ModelSettings {
  readonly maxRounds?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  readonly strategy?: StrategyChoice | undefined;
  /** For `agent.spending` and budgets in money. */
  readonly price?: TokenPrice | undefined;
}
