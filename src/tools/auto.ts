import type { AppendForm } from './append-form.ts';
import { type CachePrices, estimateCost, type StrategySize, type Workload } from './cost.ts';
import { beginEpoch, type EpochInputs, partition } from './epoch.ts';
import { definitionTokens } from './ledger.ts';
import type { Entry, GroupRecord } from './registry.ts';
import { type StrategyName, strategies } from './strategy.ts';
import type { TokenCounter } from './tool.ts';
import type { Toolbox } from './toolbox.ts';
import type { View } from './view.ts';

/** Below this many tokens of deferrable schemas, deferral does not pay whatever the estimate says. */
export const DEFERRAL_THRESHOLD = 4_000;

/**
 * Tokens of a schema, and tools of a group, that nothing is known of yet: medians of 36 published MCP
 * servers (o200k); `toolfold inspect` prints the sizes of one's own.
 */
const TYPICAL_SCHEMA = 330;
const TYPICAL_GROUP = 13;

/** Tools that one load is taken to ask for. */
const TOOLS_PER_LOAD = 3;

export interface AutoOptions {
  readonly workload: Workload;
  readonly prices: CachePrices;
  /** How the endpoint takes tools in mid-conversation, where it does. */
  readonly append?: AppendForm | undefined;
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
  const groups = visibleGroups(toolbox, view);
  if (groups.length === 0 && deferred.length === 0)
    return { strategy: 'eager', reason: 'there is nothing to defer' };
  if (groups.length > 0 && groups.every(({ group }) => group.unavailable)) {
    return { strategy: 'eager', reason: 'no group can be used, so nothing is deferred' };
  }
  const known = deferrable(toolbox, groups, deferred, countTokens);
  const schemas = measured ?? known.tokens;
  if (schemas < DEFERRAL_THRESHOLD) {
    return { strategy: 'eager', reason: `the deferrable schemas are only about ${schemas} tokens` };
  }
  const epoch = beginEpoch({ ...inputs, strategy: strategies.dispatch });
  const fixed = epoch.catalog.tokens + countTokens(JSON.stringify(epoch.bridges));
  const perLoad = (schemas / Math.max(1, known.tools)) * TOOLS_PER_LOAD + CALL_OVERHEAD;
  const deferral: StrategySize = { fixed, perLoad, keepsPrefix: true };
  const price = estimateCost(deferral, options.workload, options.prices);
  const eager = estimateCost(
    { fixed: schemas, perLoad: 0, keepsPrefix: true },
    options.workload,
    options.prices,
  );
  const compared = `estimated ${price} against ${eager} token equivalents for ${options.workload.turns} turns and ${options.workload.loads} loads`;
  return price < eager
    ? {
        strategy: options.append ? 'native' : 'dispatch',
        reason: `deferral is cheaper: ${compared}`,
      }
    : { strategy: 'eager', reason: `deferral does not pay: ${compared}` };
}

/** Tokens of a load call, its result's frame, and the dispatcher's frame around a call. */
const CALL_OVERHEAD = 120;

function visibleGroups(toolbox: Toolbox, view: View): GroupRecord[] {
  const visible = toolbox.listedTo(view);
  return [...toolbox.registry.groups.values()].filter(({ group, listed }) =>
    listed.length > 0 ? listed.some(visible) : toolbox.couldShow(view, group.groupId, ''),
  );
}

/** Sizes their source tells, typical ones elsewhere; never what happens to have loaded. */
function deferrable(
  toolbox: Toolbox,
  groups: readonly GroupRecord[],
  deferred: readonly Entry[],
  countTokens: TokenCounter,
): { tokens: number; tools: number } {
  const own = deferred.flatMap((entry) => (entry.own ? [{ entry, tool: entry.own }] : []));
  let tools = own.length;
  let tokens = own.reduce(
    (sum, { entry, tool }) =>
      sum + definitionTokens(toolbox.definitionOf(entry, tool), countTokens),
    0,
  );
  const isDeferred = new Set(deferred);
  for (const { group, listed } of groups) {
    const isKnown = (group.toolNames ?? group.toolSummaries) !== undefined;
    if (isKnown && listed.length === 0) continue;
    const all = isKnown ? listed.length : TYPICAL_GROUP;
    const some = isKnown ? listed.filter((entry) => isDeferred.has(entry)).length : all;
    tools += some;
    tokens +=
      group.schemaTokens === undefined ? some * TYPICAL_SCHEMA : (group.schemaTokens * some) / all;
  }
  return { tokens: Math.round(tokens), tools };
}
