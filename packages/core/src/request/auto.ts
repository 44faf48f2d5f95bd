import type { GroupRecord, Toolbox, View } from '../registry/index.ts';
import {
  type AcceptedTools,
  type AppendForm,
  countRequest,
  definitionTokens,
  FALLBACK,
  type StrategyName,
  strategies,
  type TokenCounter,
  type TokenLedger,
  type ToolEntry,
} from '../tool/index.ts';
import { formatCount, formatNumber } from '../values/index.ts';
import {
  type CostEstimate,
  type DeferredFacts,
  estimateCost,
  type KnownPrices,
  pricesToCompare,
  type Workload,
  workloadGrowth,
} from './cost.ts';
import {
  beginEpoch,
  type Epoch,
  type EpochInputs,
  fixedTools,
  type OwnTools,
  partition,
  refusalOf,
} from './epoch.ts';

/**
 * With fewer tokens of deferrable schemas than this, tools are not deferred, whatever the estimate
 * says. The limit does not apply if no price is known: on a local model a few thousand tokens take
 * seconds.
 */
const DEFERRAL_THRESHOLD = 4_000;

/**
 * The assumed tokens of an unknown schema and tools of an unknown group: medians of 36 published MCP
 * servers (o200k). `toolfold inspect` prints the sizes of your own servers.
 */
export const TYPICAL_SCHEMA: number = 330;
export const TYPICAL_GROUP: number = 13;

export interface AutoOptions {
  readonly workload: Workload;
  /** `unknown`: processed tokens are compared instead of costs. */
  readonly prices: KnownPrices;
  /** How the endpoint accepts tools in mid-conversation, if it does. */
  readonly append?: AppendForm | undefined;
}

export interface StrategyDecision {
  readonly strategy: StrategyName;
  /** What becomes of the app's own tools that nobody marked, if the strategy defers. */
  readonly ownTools: OwnTools;
  readonly reason: string;
}

/** Costs that were computed with every tool loaded. */
interface Measured {
  /** Tokens of all deferrable schemas. */
  readonly schemas: number;
  readonly costsOf: (ownTools: OwnTools) => Costs;
}

/** By strategy. */
type Costs = ReadonlyMap<string, CostEstimate>;

type Inputs = Omit<EpochInputs, 'strategy' | 'ownTools'>;

/**
 * Deferring strategies, the best one at equal cost first: `native` if the endpoint is proven to support it,
 * otherwise the one that needs no support.
 */
const DEFERRING = ['native', FALLBACK] as const;

/**
 * Chooses the strategy of one epoch from names and from the sizes that sources report, or from
 * measured costs. Loads nothing. An own tool that is marked as deferred makes it defer, whatever that
 * costs.
 */
export function chooseStrategy(
  inputs: Inputs,
  options: AutoOptions,
  measured?: Measured,
): StrategyDecision {
  const decision = chooseByCost(inputs, options, measured);
  // Where everything would be declared, everything loads before the first request. So the order in which
  // tools load decides nothing here.
  const reason = decision.strategy === 'eager' ? whyNotAllDeclared(inputs) : undefined;
  if (reason === undefined) return decision;
  const costsOf = estimatedCosts(inputs, options, visibleGroups(inputs.toolbox, inputs.view));
  return withOwnTools(inputs, options, { strategy: FALLBACK, reason }, costsOf, true);
}

/** Why the endpoint does not accept all tools of the view among declared ones. */
export function whyNotAllDeclared(inputs: Inputs): string | undefined {
  const { toolbox, accepts } = inputs;
  if (!accepts) return;
  const { refused, count } = partition({
    ...inputs,
    strategy: strategies.eager,
    ownTools: 'deferred',
  });
  const [first] = refused;
  if (first) {
    const more = refused.length > 1 ? ` (and ${formatCount(refused.length - 1, 'more tool')})` : '';
    return `"${first.name}"${more} cannot be declared: ${first.why}`;
  }
  const visible = toolbox.listedTo(inputs.view);
  const names = [...toolbox.registry.entries()].filter(visible).length;
  const most = mostDeclared(accepts);
  return Math.max(count, names) > most
    ? `${formatNumber(names)} tools are too many to declare: ${accepts.by} takes ${most}`
    : undefined;
}

function mostDeclared({ most = Infinity, mostForAuto = most }: AcceptedTools): number {
  return mostForAuto;
}

function chooseByCost(inputs: Inputs, options: AutoOptions, measured?: Measured): StrategyDecision {
  const { toolbox, view } = inputs;
  const eager = (reason: string): StrategyDecision => ({
    strategy: 'eager',
    ownTools: 'deferred',
    reason,
  });
  const { deferred } = partition({
    ...inputs,
    strategy: strategies[FALLBACK],
    ownTools: 'deferred',
  });
  const groups = visibleGroups(toolbox, view);
  if (groups.length === 0 && deferred.length === 0) return eager('there is nothing to defer');
  const costsOf = measured?.costsOf ?? estimatedCosts(inputs, options, groups);
  const marked = deferred.find((entry) => entry.appTool && entry.exposure === 'deferred');
  if (marked) {
    const strategy = cheapestDeferring(costsOf('deferred'), options).name;
    const reason = `"${marked.name}" is marked as deferred`;
    return withOwnTools(inputs, options, { strategy, reason }, costsOf, true);
  }
  const isOwn = ({ groupId }: ToolEntry) => groupId === undefined;
  if (!deferred.some(isOwn) && groups.every(({ group }) => group.unavailable))
    return eager('no group can be used, so nothing is deferred');
  const known = measureDeferrable(toolbox, groups, deferred, inputs.countTokens);
  const schemas = measured?.schemas ?? known.tokens;
  const guessed = measured ? '' : guessedWords(known);
  if (options.prices !== 'unknown' && schemas < DEFERRAL_THRESHOLD) {
    const size = `${guessed === '' ? '' : 'about '}${formatNumber(schemas)} tokens`;
    return eager(
      `every schema is sent, because those that could be deferred have only ${size} together${guessed}, and auto defers from ${formatNumber(DEFERRAL_THRESHOLD)} on`,
    );
  }
  const { strategy, reason } = cheapestStrategy(costsOf('deferred'), options);
  if (strategy === 'eager') return eager(`${reason}${guessed}`);
  const chosen = { strategy, reason: `${reason}${guessed}` };
  return withOwnTools(inputs, options, chosen, costsOf, false);
}

/**
 * Adds what becomes of the app's own tools that nobody marked. They stay declared while they are
 * small: below the threshold, or, if no price is known, while that processes fewer tokens. But not if
 * the rest alone would then not be worth deferring.
 */
function withOwnTools(
  inputs: Inputs,
  { prices }: AutoOptions,
  { strategy, reason }: Pick<StrategyDecision, 'strategy' | 'reason'>,
  costsOf: Measured['costsOf'],
  isForced: boolean,
): StrategyDecision {
  const { toolbox, view, countTokens, accepts } = inputs;
  const unmarked = [...toolbox.registry.appTools.values()].filter(
    (entry) => view.allows(entry) && toolbox.listedPlacement(entry).by === 'default',
  );
  if (unmarked.length === 0) return { strategy, ownTools: 'deferred', reason };
  // Those that the endpoint refuses are deferred in any case.
  const declared = unmarked.filter((entry) => refusalOf(toolbox, entry, accepts) === undefined);
  const tokens = definitionsTokens(toolbox, declared, countTokens);
  const costOf = (of: OwnTools, name: string) => priceOf(costsOf(of).get(name));
  const inline = costOf('inline', strategy);
  const isSmall =
    prices === 'unknown' ? inline <= costOf('deferred', strategy) : tokens < DEFERRAL_THRESHOLD;
  const isWorth = isForced || paysOff(inline, costOf('inline', 'eager'));
  const all = { ...inputs, strategy: strategies[strategy], ownTools: 'inline' } as const;
  const isAccepted = !accepts || partition(all).count <= mostDeclared(accepts);
  const ownTools = isSmall && isWorth && isAccepted ? 'inline' : 'deferred';
  const stay = ownTools === 'inline' && declared.length > 0;
  const named = stay ? declared : unmarked;
  const size = `${formatCount(named.length, 'tool')} of the app (${formatNumber(definitionsTokens(toolbox, named, countTokens))} tokens)`;
  const verb = named.length === 1 ? ['stays', 'is'] : ['stay', 'are'];
  const what = stay ? `${size} ${verb[0]} declared` : `${size} ${verb[1]} deferred`;
  return { strategy, ownTools, reason: `${reason}; ${what}` };
}

/** The deferring strategies that can be used, the best one at equal cost first. */
function candidateStrategies({ append }: AutoOptions): readonly StrategyName[] {
  return DEFERRING.filter((name) => name === FALLBACK || append?.proven !== undefined);
}

/**
 * What a way is compared by. A prompt that begins below the provider's minimum is compared as if it never
 * reached it: with short turns a deferred prompt stays below for a whole conversation, and nothing of it is
 * cached.
 */
function priceOf(estimate: CostEstimate | undefined): number {
  if (estimate === undefined) return Number.POSITIVE_INFINITY;
  const { sent, read, written, cost } = estimate;
  return sent > read + written ? Math.max(sent, cost) : cost;
}

/** The deferring strategy that costs least. */
function cheapestDeferring(
  costs: Costs,
  options: AutoOptions,
): { readonly name: StrategyName; readonly price: number } {
  const priced = candidateStrategies(options).map((name) => ({
    name,
    price: priceOf(costs.get(name)),
  }));
  const least = Math.min(...priced.map(({ price }) => price));
  return priced.find(({ price }) => price === least) ?? { name: FALLBACK, price: least };
}

/** The deferring strategy that costs least, if that is less than declaring everything. */
function cheapestStrategy(
  costs: Costs,
  options: AutoOptions,
): Pick<StrategyDecision, 'strategy' | 'reason'> {
  const { workload, prices } = options;
  const eager = costs.has('eager') ? priceOf(costs.get('eager')) : 0;
  const { name, price } = cheapestDeferring(costs, options);
  const deferred = costs.get(name);
  const isBelow = deferred !== undefined && deferred.sent > deferred.read + deferred.written;
  const task = `a task of ${formatCount(workload.turns, 'request')} and ${formatCount(workload.loads, 'load')}`;
  const compared =
    prices === 'unknown'
      ? `in ${task} the model has to read an estimated ${formatNumber(price)} tokens, and ${formatNumber(eager)} with every schema (no cache price is known, so each token counts once)`
      : `${task} costs as much as an estimated ${formatNumber(price)} uncached tokens, and ${formatNumber(eager)} with every schema${isBelow ? ` (the deferred prompt begins below the ${formatNumber(prices.minPrefix ?? 0)} tokens from which the provider caches, so it is counted as if nothing of it were cached; ${formatNumber(deferred.cost)} with the cache from there on)` : ''}`;
  return paysOff(price, eager)
    ? { strategy: name, reason: `deferring is cheaper: ${compared}` }
    : {
        strategy: 'eager',
        reason: `every schema is sent, because deferring is not cheaper: ${compared}`,
      };
}

/** At equal cost the extra requests bring no advantage. */
function paysOff(price: number, eager: number): boolean {
  return price < eager;
}

/** Estimates the candidates. The tools need not have loaded. */
function estimatedCosts(
  inputs: Inputs,
  options: AutoOptions,
  groups: readonly GroupRecord[],
): Measured['costsOf'] {
  const { toolbox, bridges, countTokens } = inputs;
  const { workload } = options;
  const prices = pricesToCompare(options.prices);
  const made = new Map<OwnTools, Costs>();
  return (ownTools) => {
    const known = made.get(ownTools);
    if (known) return known;
    const costs = new Map<string, CostEstimate>();
    made.set(ownTools, costs);
    for (const name of candidateStrategies(options)) {
      const strategy = strategies[name];
      const all = { ...inputs, append: options.append, strategy, ownTools };
      const left = measureDeferrable(toolbox, groups, partition(all).deferred, countTokens);
      const epoch = beginEpoch(all);
      const means = {
        strategy,
        bridges: epoch.bridges,
        kindOf: (text: string) => bridges.kinds.get(text),
      };
      const { total, inline } = epochTokens(epoch, toolbox, countTokens);
      const growth = (of: typeof means) => workloadGrowth(workload, of, left, countTokens);
      costs.set(name, estimateCost(total, growth(means), prices));
      const eager = growth({ ...means, bridges: [] });
      costs.set('eager', estimateCost(inline + left.tokens, eager, prices));
    }
    return costs;
  };
}

function visibleGroups(toolbox: Toolbox, view: View): GroupRecord[] {
  const visible = toolbox.listedTo(view);
  return [...toolbox.registry.groups.values()].filter(({ group, listed }) =>
    listed.length > 0 ? listed.some(visible) : toolbox.couldShow(view, group.groupId, ''),
  );
}

/** The deferrable tools, and which part of their size is estimated. */
interface Deferrable extends DeferredFacts {
  readonly guessed: { readonly tools: number; readonly tokens: number };
}

/** Describes the part that is estimated: tools with known names only, and tools with unknown names. */
function guessedWords({ guessed, tokens }: Deferrable): string {
  if (guessed.tools === 0) return '';
  const part = guessed.tokens === tokens ? '' : `${formatNumber(guessed.tokens)} of them `;
  return ` (${part}estimated for ${formatCount(guessed.tools, 'tool')} that ${guessed.tools === 1 ? 'has' : 'have'} not loaded)`;
}

/**
 * Sizes as reported by the source, otherwise typical ones. It never uses the sizes of tools that have
 * loaded, because these depend on the moment.
 */
function measureDeferrable(
  toolbox: Toolbox,
  groups: readonly GroupRecord[],
  deferred: readonly ToolEntry[],
  countTokens: TokenCounter,
): Deferrable {
  const own = deferred.filter((entry) => entry.appTool);
  let count = own.length;
  let tokens = definitionsTokens(toolbox, own, countTokens);
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

/** The tokens of the definitions of own tools. */
function definitionsTokens(
  toolbox: Toolbox,
  entries: readonly ToolEntry[],
  countTokens: TokenCounter,
): number {
  return entries.reduce(
    (sum, entry) =>
      sum +
      (entry.appTool
        ? definitionTokens(toolbox.definitionOf(entry, entry.appTool), countTokens)
        : 0),
    0,
  );
}

/** Tokens of an epoch's first request: what is declared and the catalog, no messages. */
export function epochTokens(
  epoch: Epoch,
  toolbox: Toolbox,
  countTokens: TokenCounter,
): TokenLedger {
  const bridges = new Set(epoch.bridges);
  const tools = fixedTools(epoch, toolbox);
  const request = { system: epoch.system, tools, inserts: [], deliveries: [] };
  return countRequest(request, countTokens, (tool) => (bridges.has(tool) ? 'bridges' : 'inline'));
}
