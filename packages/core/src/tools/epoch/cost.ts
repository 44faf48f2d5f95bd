/** Prices of tokens, relative to an input token at base price. */
export interface CachePrices {
  /** The price to write to the cache. */
  readonly write: number;
  /** The price to read from the cache. */
  readonly read: number;
  /** A prompt with fewer tokens is not cached and costs the base price. If left out, every prompt is cached. */
  readonly minPrefix?: number;
}

/**
 * Anthropic's prices for the five-minute cache: 1.25 to write, 0.1 to read (Anthropic prompt
 * caching documentation, November 2026). Writing costs more than at most providers, so deferral
 * is not chosen too soon.
 */
export const DEFAULT_PRICES: CachePrices = { write: 1.25, read: 0.1 };

/** A model's prices; `unknown` if none were given. */
export type KnownPrices = CachePrices | 'unknown';

/**
 * Counts the tokens that must be processed. An engine that keeps its cache, such as a local one, does
 * not process a cached prefix again.
 */
export const TOKENS_PROCESSED: CachePrices = { write: 1, read: 0 };

/** The prices for a computation, also if the model's prices are unknown. */
export function pricesToCompare(prices: KnownPrices): CachePrices {
  return prices === 'unknown' ? TOKENS_PROCESSED : prices;
}

/** The assumed size of a conversation. All sizes are in tokens. */
export interface Workload {
  /** The number of requests that the task needs without deferral. */
  readonly turns: number;
  /** The number of loads that the task needs with deferral. Each is one extra request; they are spread evenly. */
  readonly loads: number;
  /** Tokens that each request adds to the messages: a call, its result, text from the user. */
  readonly perTurn: number;
  /** The number of tools in one load; 3 if left out. */
  readonly toolsPerLoad?: number;
}

export const DEFAULT_WORKLOAD: Workload = { turns: 8, loads: 2, perTurn: 400 };

/** Tokens that one request adds to the one before it. */
export interface Growth {
  /** Tokens added at the end. */
  readonly messages: number;
  /** Tokens of newly declared tools. They come before everything else, so the cached prefix is lost. */
  readonly tools: number;
}

/** The cost of a task. All fields except the first and last are in tokens. */
export interface CostEstimate {
  readonly requests: number;
  /** The sum over all requests. Tokens that are neither read nor written are not cached. */
  readonly sent: number;
  readonly read: number;
  readonly written: number;
  /** In input tokens at base price. */
  readonly cost: number;
}

/**
 * Computes the cost of a task, request by request, with a working cache: each request reads what
 * the previous one sent and writes the rest. `fixed`: tokens of schemas and catalog in the first
 * request.
 */
export function estimateCost(
  fixed: number,
  growth: readonly Growth[],
  prices: CachePrices = DEFAULT_PRICES,
): CostEstimate {
  let length = fixed;
  let cached = 0;
  const total = { sent: 0, read: 0, written: 0 };
  for (const { messages, tools } of growth) {
    if (tools > 0) cached = 0;
    length += messages + tools;
    const isCached = length >= (prices.minPrefix ?? 0);
    total.sent += length;
    total.read += cached;
    total.written += isCached ? length - cached : 0;
    cached = isCached ? length : 0;
  }
  const { sent, read, written } = total;
  const cost = read * prices.read + written * prices.write + (sent - read - written);
  return { requests: growth.length, sent, read, written, cost: Math.round(cost) };
}
