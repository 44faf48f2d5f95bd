import type { StrategyChoice } from '@toolfold/core/internal/tool';
import * as z from '../schemas.ts';
import { strategy } from './tools.ts';
import { count, flag, money, name, objectOf, oneOf } from './values.ts';

/** How a provider is spoken to. */
type ProviderProtocol = 'openai-compatible' | 'openai' | 'anthropic';

/** A provider of models. */
export interface ProviderSettings {
  /** The URL of its endpoint, such as `https://llm.example.com/v1`. */
  readonly address: string;
  /** The variable with its key. Default: its name in capitals with `_API_KEY`. */
  readonly key?: string | undefined;
  /** `openai-compatible` if left out. */
  readonly protocol?: ProviderProtocol | undefined;
}

const protocols: readonly ProviderProtocol[] = ['openai-compatible', 'openai', 'anthropic'];

const ADDRESS =
  'a URL that begins with https:// or http://, without a user, a query and a fragment';
const VARIABLE = 'the name of a variable of the environment, and not the key itself';

/** Secrets belong into a variable. */
const address = z
  .string(ADDRESS)
  .check(z.regex(/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#@\\]*)?$/, ADDRESS));

export const provider: z.ZodMiniType<ProviderSettings> = objectOf<ProviderSettings>(
  {
    address: address.with(
      z.describe('The URL of its endpoint, such as https://llm.example.com/v1.'),
    ),
    key: z
      .string(VARIABLE)
      .check(z.regex(/^[A-Z_][A-Z0-9_]*$/, VARIABLE))
      .with(z.describe('The variable with its key. Default: its name in capitals with _API_KEY.')),
    protocol: oneOf(protocols).with(z.describe('How it is spoken to. Default: openai-compatible.')),
  },
  ['address'],
);

/** How the provider is asked for its prompt cache. */
interface CacheChoice {
  /**
   * How long the provider keeps what is frozen and the start of a turn, where it lets one choose. Everything else is
   * kept for five minutes. Default: `5m`; in the chat and in editors `1h`.
   */
  readonly ttl?: '5m' | '1h' | undefined;
  /** The `promptCacheKey` of a conversation and its forks, for providers that take one. */
  readonly key?: string | undefined;
}

/**
 * `auto`: where a provider caches only if a request asks, requests with tools ask, unless the app has set an option
 * of a cache itself. `false`: none asks.
 */
export type CacheSetting = 'auto' | false | CacheChoice;

const choice = objectOf<CacheChoice>({
  ttl: oneOf(['5m', '1h'] as const).with(
    z.describe(
      'How long the provider keeps what is frozen and the start of a turn: 5m or 1h (default in the chat and in editors).',
    ),
  ),
  key: name.with(z.describe('The key of a conversation, for providers that take one.')),
});

export const cache: z.ZodMiniType<CacheSetting> = z.union(
  [z.literal('auto'), z.literal(false), choice],
  'auto, false or an object',
);

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
