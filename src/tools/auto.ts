import { type CachePrices, estimateCost, type StrategySize, type Workload } from './cost.ts';
import { beginEpoch, type EpochInputs, partition } from './epoch.ts';
import type { Entry } from './registry.ts';
import { type StrategyName, strategies } from './strategy.ts';
import type { Toolbox } from './toolbox.ts';

/** Below this many tokens of deferrable schemas, deferral does not pay whatever the estimate says. */
export const DEFERRAL_THRESHOLD = 4_000;

/**
 * Tokens of a schema nothing is known of yet. The median tool of 36 published MCP servers has some
 * 330 (o200k); `toolfold inspect` prints the sizes of one's own.
 */
const TYPICAL_SCHEMA = 330;

export interface AutoOptions {
  readonly workload: Workload;
  readonly prices: CachePrices;
}

export interface Decision {
  readonly strategy: StrategyName;
  readonly reason: string;
}

/**
 * Chooses for one epoch from names and whatever sources tell of their schemas' sizes, or from
 * `measured` tokens of all deferrable schemas. Loads nothing.
 */
export function chooseStrategy(
  inputs: Omit<EpochInputs, 'strategy'>,
  options: AutoOptions,
  measured?: number,
): Decision {
  const { toolbox, view, countTokens } = inputs;
  const { deferred } = partition({ toolbox, view, countTokens, strategy: strategies.dispatch });
  const groups = [...toolbox.registry.groups.values()].filter(({ listed }) => listed.length === 0 || listed.some(toolbox.listedTo(view)));
  if (groups.length === 0 && deferred.length === 0) return { strategy: 'eager', reason: 'there is nothing to defer' };
  if (groups.length > 0 && groups.every(({ group }) => group.unavailable)) {
    return { strategy: 'eager', reason: 'no group can be used, so nothing is deferred' };
  }
  const schemas = measured ?? deferredTokens(toolbox, deferred, countTokens);
  if (schemas < DEFERRAL_THRESHOLD && groups.every(({ listed }) => listed.length > 0)) {
    return { strategy: 'eager', reason: `the deferrable schemas are only about ${schemas} tokens` };
  }
  const epoch = beginEpoch({ ...inputs, strategy: strategies.dispatch });
  const fixed = epoch.catalog.tokens + countTokens(JSON.stringify(epoch.bridges));
  const perLoad = schemas / Math.max(1, deferred.length) * 3 + CALL_OVERHEAD;
  const deferral: StrategySize = { fixed, perLoad, keepsPrefix: true };
  const price = estimateCost(deferral, options.workload, options.prices);
  const eager = estimateCost({ fixed: schemas, perLoad: 0, keepsPrefix: true }, options.workload, options.prices);
  const compared = `estimated ${price} against ${eager} token equivalents for ${options.workload.turns} turns and ${options.workload.loads} loads`;
  return price < eager
    ? { strategy: 'dispatch', reason: `deferral is cheaper: ${compared}` }
    : { strategy: 'eager', reason: `deferral does not pay: ${compared}` };
}

/** Tokens of a load call, its result's frame, and the dispatcher's frame around a call. */
const CALL_OVERHEAD = 120;

/** Sizes their source tells, typical ones elsewhere; never what happens to have loaded. */
export function deferredTokens(
  toolbox: Toolbox,
  deferred: readonly Entry[],
  countTokens: (text: string) => number,
): number {
  let tokens = 0;
  for (const entry of deferred) {
    const record = entry.groupId === undefined ? undefined : toolbox.registry.groups.get(entry.groupId);
    const told = record?.group.schemaTokens;
    if (entry.own) tokens += countTokens(JSON.stringify(toolbox.definitionOf(entry, entry.own)));
    else if (told !== undefined && record) tokens += told / Math.max(1, record.listed.length);
    else tokens += TYPICAL_SCHEMA;
  }
  return Math.round(tokens);
}

