/** Prices of tokens, relative to an input token at base price. */
export interface CachePrices {
  /** Writing to the cache. */
  readonly write: number;
  /** Reading from it. */
  readonly read: number;
  /** A prompt of fewer tokens is never cached and costs the base price; left out, any is. */
  readonly minPrefix?: number;
}

/**
 * Anthropic's prices for the five-minute cache: 1.25 to write, 0.1 to read (Anthropic prompt
 * caching documentation, November 2026). Writing costs more than at most providers, so deferral
 * is not chosen too soon.
 */
export const DEFAULT_PRICES: CachePrices = { write: 1.25, read: 0.1 };

/** A model's prices; `unknown` where nobody has told any. */
export type KnownPrices = CachePrices | 'unknown';

/**
 * Counts the tokens that have to be processed: an engine that keeps its cache, as local ones do, has
 * no work with a prefix it holds already.
 */
export const TOKENS_PROCESSED: CachePrices = { write: 1, read: 0 };

/** What to reckon with where the price may be unknown. */
export function pricesToCompare(prices: KnownPrices): CachePrices {
  return prices === 'unknown' ? TOKENS_PROCESSED : prices;
}

/** A conversation of which only the size is known; all sizes in tokens. */
export interface Workload {
  /** Requests the task needs without any deferral. */
  readonly turns: number;
  /** Loads the task needs where tools are deferred, one extra request each; spread evenly. */
  readonly loads: number;
  /** Tokens that each request adds to the messages: a call, its result, text of the user. */
  readonly perTurn: number;
  /** Tools that one load asks for; 3 if left out. */
  readonly toolsPerLoad?: number;
}

export const DEFAULT_WORKLOAD: Workload = { turns: 8, loads: 2, perTurn: 400 };

/** Tokens that one request adds to the one before it. */
export interface Growth {
  /** At the end. */
  readonly messages: number;
  /** Newly declared tools. They stand in front of everything, so the cached prefix is lost. */
  readonly tools: number;
}

/** The cost of a task; all but the first and last field in tokens. */
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
