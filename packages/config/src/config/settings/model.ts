import type { StrategyChoice } from '@toolfold/core/internal/tools/strategies';
import * as z from '../schemas/index.ts';
import { type CacheSetting, cache } from './cache.ts';
import { objectOf } from './shapes.ts';
import { strategy } from './strategy.ts';
import { count, flag, money } from './values.ts';

/** Prices of a million tokens, all in the same currency. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Tokens read from the cache. Default: `input` times the factor in the table of `@toolfold/core/models`. */
  readonly cacheRead?: number | undefined;
  /** Tokens written to the cache. Same default rule as `cacheRead`. */
  readonly cacheWrite?: number | undefined;
}

/** The settings of a model. */
export interface ModelSettings {
  readonly maxRounds?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  readonly strategy?: StrategyChoice | undefined;
  readonly cache?: CacheSetting | undefined;
  /** Whether the model sees images, in place of what the table of `@toolfold/core/models` says. */
  readonly images?: boolean | undefined;
  /** For `agent.spending` and budgets in money. */
  readonly price?: TokenPrice | undefined;
}

const price = objectOf<TokenPrice>(
  {
    input: money.with(z.describe('The price of a million input tokens.')),
    output: money.with(z.describe('The price of a million output tokens.')),
    cacheRead: money.with(z.describe('The price of a million tokens read from the cache.')),
    cacheWrite: money.with(z.describe('The price of a million tokens written to the cache.')),
  },
  ['input', 'output'],
);

export const model: z.ZodMiniType<ModelSettings> = objectOf<ModelSettings>({
  maxRounds: count.with(z.describe('The maximum number of tool rounds in a turn on this model.')),
  contextWindow: count.with(z.describe("The model's context window, in tokens.")),
  strategy: strategy.with(
    z.describe('The strategy for this model; overrides the global strategy.'),
  ),
  cache: cache.with(
    z.describe(
      'Whether requests to this model ask for the prompt cache; overrides the global one.',
    ),
  ),
  images: flag.with(
    z.describe('Whether the model sees images, for one whose name does not say so.'),
  ),
  price: price.with(z.describe('Token prices, for agent.spending and budgets in money.')),
});
