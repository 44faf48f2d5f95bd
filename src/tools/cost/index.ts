export {
  type CachePrices,
  type CostEstimate,
  DEFAULT_PRICES,
  DEFAULT_WORKLOAD,
  estimateCost,
  type Growth,
  type KnownPrices,
  pricesToCompare,
  TOKENS_PROCESSED,
  type Workload,
} from './cost.ts';
export type { Means } from './loads.ts';
export { type Deferred, workloadGrowth } from './workload.ts';
