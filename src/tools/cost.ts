/** What a token costs, relative to an input token at base price. */
export interface CachePrices {
  /** Writing to the cache. */
  readonly write: number;
  /** Reading from it. */
  readonly read: number;
}

/**
 * Anthropic's prices for the five-minute cache: 1.25 to write, 0.1 to read (Anthropic prompt caching
 * documentation, November 2026). Dearer to write than most, so that deferral is not chosen too soon.
 */
export const DEFAULT_PRICES: CachePrices = { write: 1.25, read: 0.1 };

/** A conversation to estimate for; all sizes in tokens. */
export interface Workload {
  /** Requests the task needs without any deferral. */
  readonly turns: number;
  /** Loads the task needs where tools are deferred, one extra request each. */
  readonly loads: number;
  /** What each request adds to the messages: the call, its result, the user's words. */
  readonly perTurn: number;
}

export const DEFAULT_WORKLOAD: Workload = { turns: 8, loads: 2, perTurn: 400 };

/** What one strategy sends, in tokens. */
export interface StrategySize {
  /** In every request: schemas, bridges, catalog. */
  readonly fixed: number;
  /** Added by one load: its schemas, and the call and result around them. */
  readonly perLoad: number;
  /** Whether a load leaves the cached prefix alone. */
  readonly keepsPrefix: boolean;
}

/** The price of a task in base-price input tokens, request by request, with a cache that works. */
export function estimateCost(
  size: StrategySize,
  workload: Workload = DEFAULT_WORKLOAD,
  prices: CachePrices = DEFAULT_PRICES,
): number {
  let cached = 0;
  let length = size.fixed;
  let price = 0;
  const loads = size.perLoad === 0 ? 0 : workload.loads;
  for (let request = 0; request < workload.turns + loads; request++) {
    const loadsNow = request > 0 && request <= loads;
    length += workload.perTurn + (loadsNow ? size.perLoad : 0);
    if (loadsNow && !size.keepsPrefix) cached = 0;
    price += cached * prices.read + (length - cached) * prices.write;
    cached = length;
  }
  return Math.round(price);
}
