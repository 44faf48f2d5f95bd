import type { View } from '../access/index.ts';
import {
  type CostEstimate,
  type Deferred,
  estimateCost,
  type KnownPrices,
  pricesToCompare,
  type Workload,
  workloadGrowth,
} from '../cost/index.ts';
import type { GroupRecord, Toolbox } from '../registry/index.ts';
import { type AppendForm, FALLBACK, type StrategyName, strategies } from '../strategies/index.ts';
import { definitionTokens } from '../tokens/index.ts';
import type { Entry, TokenCounter } from '../tool/index.ts';
import { figure, quantity } from '../values/index.ts';
import { beginEpoch, type EpochInputs, partition } from './epoch.ts';
import { epochTokens } from './epoch-tokens.ts';

/**
 * With fewer tokens of deferrable schemas than this, tools are not deferred, whatever the estimate
 * says. The limit does not apply if no price is known: on a local model a few thousand tokens take
 * seconds.
 */
export const DEFERRAL_THRESHOLD = 4_000;

/**
 * The assumed tokens of an unknown schema and tools of an unknown group: medians of 36 published MCP
 * servers (o200k). `toolfold inspect` prints the sizes of your own servers.
 */
const TYPICAL_SCHEMA = 330;
const TYPICAL_GROUP = 13;

export interface AutoOptions {
  readonly workload: Workload;
  /** `unknown`: processed tokens are compared instead of costs. */
  readonly prices: KnownPrices;
  /** How the endpoint accepts tools in mid-conversation, if it does. */
  readonly append?: AppendForm | undefined;
}

export interface Decision {
  readonly strategy: StrategyName;
  readonly reason: string;
}

/** Costs that were computed with every tool loaded. */
export interface Measured {
  /** Tokens of all deferrable schemas. */
  readonly schemas: number;
  readonly costs: Costs;
}

/** By strategy. */
type Costs = ReadonlyMap<string, CostEstimate>;

type Inputs = Omit<EpochInputs, 'strategy'>;

/**
 * Deferring strategies, the best one first: `native` if the endpoint supports it, otherwise the one
 * that needs no support.
 */
const DEFERRING = ['native', FALLBACK] as const;

/**
 * Chooses the strategy of one epoch from names and from the sizes that sources report, or from
 * measured costs. Loads nothing.
 */
export function chooseStrategy(
  inputs: Inputs,
  options: AutoOptions,
  measured?: Measured,
): Decision {
  const { toolbox, view, countTokens } = inputs;
  const { deferred } = partition({ toolbox, view, countTokens, strategy: strategies[FALLBACK] });
  const groups = visibleGroups(toolbox, view);
  if (groups.length === 0 && deferred.length === 0)
    return { strategy: 'eager', reason: 'there is nothing to defer' };
  if (groups.length > 0 && groups.every(({ group }) => group.unavailable)) {
    return { strategy: 'eager', reason: 'no group can be used, so nothing is deferred' };
  }
  const known = deferrable(toolbox, groups, deferred, countTokens);
  const schemas = measured?.schemas ?? known.tokens;
  const guessed = measured ? '' : guessedWords(known);
  if (options.prices !== 'unknown' && schemas < DEFERRAL_THRESHOLD) {
    const size = `${guessed === '' ? '' : 'about '}${figure(schemas)} tokens`;
    return {
      strategy: 'eager',
      reason: `the deferrable schemas are only ${size}${guessed}, and deferral begins at ${figure(DEFERRAL_THRESHOLD)}`,
    };
  }
  const { strategy, reason } = cheapest(
    measured?.costs ?? costsOf(inputs, options, known),
    options,
  );
  return { strategy, reason: `${reason}${guessed}` };
}

/** The first strategy that costs less than declaring everything. */
function cheapest(costs: Costs, { workload, prices, append }: AutoOptions): Decision {
  const eager = costs.get('eager')?.cost ?? 0;
  const priced = DEFERRING.filter((name) => append || name === FALLBACK).map((name) => ({
    name,
    price: costs.get(name)?.cost ?? Number.POSITIVE_INFINITY,
  }));
  const chosen = priced.find(({ price }) => pays(price, eager));
  const price = chosen?.price ?? Math.min(...priced.map((each) => each.price));
  const task = `for ${quantity(workload.turns, 'turn')} and ${quantity(workload.loads, 'load')}`;
  const both = `estimated ${figure(price)} against ${figure(eager)}`;
  const compared =
    prices === 'unknown'
      ? `${both} tokens ${task} (no cache price is known; compared by tokens processed)`
      : `${both} token equivalents ${task}`;
  return chosen
    ? { strategy: chosen.name, reason: `deferral is cheaper: ${compared}` }
    : { strategy: 'eager', reason: `deferral does not pay: ${compared}` };
}

/** At equal cost the extra requests bring no advantage. */
function pays(price: number, eager: number): boolean {
  return price < eager;
}

/** Estimates the candidates. The tools need not have loaded. */
function costsOf(
  inputs: Inputs,
  { workload, append, ...options }: AutoOptions,
  known: Deferred,
): Costs {
  const { toolbox, bridges, countTokens } = inputs;
  const prices = pricesToCompare(options.prices);
  const costs = new Map<string, CostEstimate>();
  for (const name of append ? DEFERRING : [FALLBACK]) {
    const strategy = strategies[name];
    const epoch = beginEpoch({ ...inputs, append, strategy });
    const means = {
      strategy,
      bridges: epoch.bridges,
      kindOf: (text: string) => bridges.kind(text),
    };
    const { total, inline } = epochTokens(epoch, toolbox, countTokens);
    const growth = (of: typeof means) => workloadGrowth(workload, of, known, countTokens);
    costs.set(name, estimateCost(total, growth(means), prices));
    const eager = growth({ ...means, bridges: [] });
    costs.set('eager', estimateCost(inline + known.tokens, eager, prices));
  }
  return costs;
}

function visibleGroups(toolbox: Toolbox, view: View): GroupRecord[] {
  const visible = toolbox.listedTo(view);
  return [...toolbox.registry.groups.values()].filter(({ group, listed }) =>
    listed.length > 0 ? listed.some(visible) : toolbox.couldShow(view, group.groupId, ''),
  );
}

/** The deferrable tools, and which part of their size is estimated. */
interface Deferrable extends Deferred {
  readonly guessed: { readonly tools: number; readonly tokens: number };
}

/** Describes the part that is estimated: tools with known names only, and tools with unknown names. */
function guessedWords({ guessed, tokens }: Deferrable): string {
  if (guessed.tools === 0) return '';
  const part = guessed.tokens === tokens ? '' : `${figure(guessed.tokens)} of them `;
  return ` (${part}estimated for ${quantity(guessed.tools, 'tool')} that ${guessed.tools === 1 ? 'has' : 'have'} not loaded)`;
}

/**
 * Sizes as reported by the source, otherwise typical ones. It never uses the sizes of tools that have
 * loaded, because these depend on the moment.
 */
function deferrable(
  toolbox: Toolbox,
  groups: readonly GroupRecord[],
  deferred: readonly Entry[],
  countTokens: TokenCounter,
): Deferrable {
  const own = deferred.flatMap((entry) => (entry.own ? [{ entry, tool: entry.own }] : []));
  let count = own.length;
  let tokens = own.reduce(
    (sum, { entry, tool }) =>
      sum + definitionTokens(toolbox.definitionOf(entry, tool), countTokens),
    0,
  );
  const guessed = { tools: 0, tokens: 0 };
  const isDeferred = new Set(deferred);
  for (const { group, listed } of groups) {
    const isKnown = (group.toolNames ?? group.toolSummaries) !== undefined;
    if (isKnown && listed.length === 0) continue;
    const all = isKnown ? listed.length : TYPICAL_GROUP;
    const some = isKnown ? listed.filter((entry) => isDeferred.has(entry)).length : all;
    count += some;
    if (group.schemaTokens !== undefined) tokens += (group.schemaTokens * some) / all;
    else {
      tokens += some * TYPICAL_SCHEMA;
      guessed.tools += some;
      guessed.tokens += some * TYPICAL_SCHEMA;
    }
  }
  return { tools: deferred, count, tokens: Math.round(tokens), guessed };
}
