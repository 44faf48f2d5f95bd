import * as z from '../schemas/index.ts';
import { objectOf } from './shapes.ts';
import { name, oneOf } from './values.ts';

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
