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
