import type { z } from 'zod';
import type { StrategyChoice } from '../../tools/strategies/index.ts';
import { objectOf } from './shapes.ts';
import { strategy } from './strategy.ts';
import { count, money } from './values.ts';

/** What a million tokens cost, in any one unit of money. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Read from the cache; left out, the table of `toolfold/models` says how it compares to `input`. */
  readonly cacheRead?: number | undefined;
  /** Written to the cache; left out, as above. */
  readonly cacheWrite?: number | undefined;
}

/** What a model is given, by `provider/name` or by its bare name. */
export interface ModelSettings {
  readonly maxRounds?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  readonly strategy?: StrategyChoice | undefined;
  /** For `agent.spending` and budgets in money. */
  readonly price?: TokenPrice | undefined;
}

const price = objectOf<TokenPrice>(
  {
    input: money.describe('What a million tokens read cost.'),
    output: money.describe('What a million tokens written cost.'),
    cacheRead: money.describe('What a million tokens read from the cache cost.'),
    cacheWrite: money.describe('What a million tokens written to the cache cost.'),
  },
  ['input', 'output'],
);

export const model: z.ZodType<ModelSettings> = objectOf<ModelSettings>({
  maxRounds: count.describe('Rounds of tools in a turn on this model.'),
  contextWindow: count.describe("The model's context window, in tokens."),
  strategy: strategy.describe('How tools reach this model; overrides the global strategy.'),
  price: price.describe('What tokens cost, for agent.spending and budgets in money.'),
});
