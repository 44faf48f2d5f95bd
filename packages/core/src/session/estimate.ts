import type { ToolRequest } from '../calls/index.ts';
import { errorMessage, ToolfoldError } from '../errors.ts';
import { everything, viewOf } from '../registry/index.ts';
import {
  beginEpoch,
  type CostEstimate,
  chooseStrategy,
  contextOf,
  type DeferredFacts,
  type Epoch,
  epochTokens,
  estimateCost,
  type LayerContext,
  listTools,
  type Means,
  type OwnTools,
  pricesToCompare,
  type RefusedTool,
  refusalOf,
  type StrategyDecision,
  type Workload,
  workloadGrowth,
} from '../request/index.ts';
import {
  type AcceptedTools,
  Bridges,
  countRequest,
  definitionTokens,
  FALLBACK,
  PLAIN_APPEND,
  type StrategyName,
  strategies,
  type TokenCounter,
} from '../tool/index.ts';
import { checkKnown, type KnownOptions } from '../values/index.ts';
import type { ToolLayer } from './layer.ts';
import { checkSessionOptions, checkSettings, type SessionOptions } from './options.ts';
import { Session } from './session.ts';
import { scopeOf } from './session-scope.ts';

/** The bridge tools of a turn. */
export function meansOf(turn: ToolRequest): Means {
  const { strategy, bridges } = turn.epoch;
  return { strategy, bridges, kindOf: (name) => turn.bridgeKind(name) };
}

/** The tokens that a turn declares and shows from the start, and the tokens that it appends. */
export function sizeOf(
  { presentation }: ToolRequest,
  countTokens: TokenCounter,
): { declared: number; appended: number } {
  const { total, loaded } = countRequest(presentation, countTokens);
  return { declared: total - loaded, appended: loaded };
}

/** The conditions of an estimate. Defaults are those of the layer's `auto`. */
export interface EstimateOptions
  extends Pick<
    SessionOptions,
    'role' | 'modelId' | 'contextWindow' | 'append' | 'accepts' | 'prices'
  > {
  readonly signal?: AbortSignal;
}

export interface Estimate {
  /** `native` in its plain form, if no `append` says how the endpoint accepts tools. */
  readonly strategies: Readonly<Record<StrategyName, CostEstimate>>;
  /** The strategy that `auto` would choose for these figures. */
  readonly auto: StrategyDecision;
  /** Tools that the endpoint would refuse among declared ones, each with the rule. Empty without `accepts`. */
  readonly refused: readonly Pick<RefusedTool, 'name' | 'why'>[];
}

/** The maximum number of requests of a workload, because each is computed separately. */
const MAX_REQUESTS = 100_000;

/** An endpoint that refuses nothing: the sizes of all tools are needed. */
const ANYTHING: AcceptedTools = { by: 'nobody', brokenRule: () => undefined };

const ESTIMATE_OPTIONS: KnownOptions<EstimateOptions> = {
  role: true,
  modelId: true,
  contextWindow: true,
  append: true,
  accepts: true,
  prices: true,
  signal: true,
};

/**
 * Runs all loaders and computes the cost of a task of this size under each strategy. Missing sizes are
 * those of the layer's `auto`. Rejects with `invalid-option` for invalid sizes, and with the signal's
 * reason.
 */
export async function estimate(
  layer: ToolLayer,
  size: Partial<Workload> = {},
  options: EstimateOptions = {},
): Promise<Estimate> {
  checkKnown('estimate()', options, ESTIMATE_OPTIONS);
  const context = contextOf(layer);
  const { toolbox, bridgeNames, catalog, auto: defaults, countTokens } = context;
  const { role, modelId, contextWindow, accepts, signal } = options;
  const { prices = defaults.prices, append = defaults.append } = options;
  const workload = withDefaults(size, defaults.workload);
  const view = viewOf(context.roles, role);
  // No model requested the loads of an estimate.
  const ignored = checkSettings(undefined);
  const quiet = { ...context, onToolsExpanded: () => {}, onCall: () => {}, ignored };
  const aborting = signal ? { signal } : {};
  const begin = async (
    strategy: StrategyName,
    ownTools: OwnTools = 'deferred',
    rules: EstimateOptions['accepts'] = accepts,
  ) => {
    const layer = { ...quiet, ownTools };
    const of = { modelId, contextWindow, append, strategy, ...(rules && { accepts: rules }) };
    const session = new Session(scopeOf(layer, view, of));
    await session.prepare([], aborting);
    return session.turn([]);
  };

  const everything = await begin('eager', 'deferred', ANYTHING);
  const sizes = new Map(
    everything.presentation.tools.map((tool) => [tool.name, definitionTokens(tool, countTokens)]),
  );
  const priced = async (name: StrategyName, ownTools?: OwnTools) => {
    // The figure of all tools, whatever the endpoint makes of them, is what the others are compared with.
    const rules = strategies[name].defers === 'nothing' ? ANYTHING : accepts;
    const turn = await begin(name, ownTools, rules);
    const left = deferredIn(turn, sizes);
    const growth = workloadGrowth(workload, meansOf(turn), left, countTokens);
    const { declared } = sizeOf(turn, countTokens);
    return { left, cost: estimateCost(declared, growth, pricesToCompare(prices)) };
  };
  const costs = new Map<StrategyName, CostEstimate>();
  // Without own tools both places are the same.
  const hasOwn = toolbox.registry.appTools.size > 0;
  const inline = hasOwn ? new Map<StrategyName, CostEstimate>() : costs;
  let schemas = 0;
  for (const name of Object.keys(strategies) as StrategyName[]) {
    const { left, cost } = await priced(name);
    if (name === FALLBACK) schemas = left.tokens;
    costs.set(name, cost);
    if (hasOwn) inline.set(name, (await priced(name, 'inline')).cost);
  }

  const bridges = new Bridges(bridgeNames, modelId);
  const list = listTools(toolbox, view);
  const auto = chooseStrategy(
    { toolbox, view, list, bridges, append, accepts, catalog, contextWindow, countTokens },
    { workload, prices, append },
    { schemas, costsOf: (ownTools) => (ownTools === 'inline' ? inline : costs) },
  );
  const refused = [...toolbox.registry.entries()]
    .filter(toolbox.listedTo(view))
    .flatMap((entry) => {
      const why = refusalOf(toolbox, entry, accepts);
      return why === undefined ? [] : [{ name: entry.name, why }];
    });
  return { strategies: Object.fromEntries(costs) as Estimate['strategies'], auto, refused };
}

/** The available tools that a turn leaves out. */
function deferredIn(turn: ToolRequest, sizes: ReadonlyMap<string, number>): DeferredFacts {
  const declared = new Set(turn.presentation.tools.map((tool) => tool.name));
  const names = [...sizes.keys()].filter((name) => !declared.has(name));
  return {
    tools: names.flatMap((name) => turn.lookUp(name) ?? []),
    count: names.length,
    tokens: names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0),
  };
}

function withDefaults(of: Partial<Workload>, defaults: Workload): Workload {
  const { turns = defaults.turns, loads = defaults.loads, perTurn = defaults.perTurn } = of;
  const { toolsPerLoad = defaults.toolsPerLoad } = of;
  const isCount = (value: number, least: number) => Number.isInteger(value) && value >= least;
  const isFine =
    isCount(turns, 1) &&
    isCount(loads, 0) &&
    turns + loads <= MAX_REQUESTS &&
    isCount(toolsPerLoad ?? 1, 1) &&
    perTurn >= 0;
  if (isFine) return { turns, loads, perTurn, toolsPerLoad };
  throw new ToolfoldError(
    'invalid-option',
    'The workload to estimate has sizes it cannot have.',
    `Expected: whole numbers, turns and toolsPerLoad of 1 or more, at most ${MAX_REQUESTS} requests.`,
  );
}

export interface MeasureOptions {
  readonly contextWindow?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StrategyMeasure {
  /** Tokens of the first request: schemas, bridges and catalog; no messages. */
  readonly total: number;
  readonly inline: number;
  readonly bridges: number;
  readonly catalog: number;
  readonly namesVisible: number;
  readonly namesTotal: number;
  readonly groupsVisible: number;
}

export interface Measurement {
  readonly totals: { readonly tools: number; readonly schemaTokens: number };
  readonly groups: readonly {
    readonly groupId: string;
    readonly tools: number;
    readonly tokens: number;
    readonly unavailable?: string;
  }[];
  readonly strategies: Readonly<Record<StrategyName, StrategyMeasure>>;
  readonly auto: StrategyDecision;
}

const MEASURE_OPTIONS: KnownOptions<MeasureOptions> = {
  contextWindow: true,
  signal: true,
};

/**
 * Runs all loaders and counts the first request of each strategy. A group that does not load is
 * reported as unavailable. Rejects with `invalid-option`, and with the signal's reason.
 */
export async function measure(
  layer: ToolLayer,
  options: MeasureOptions = {},
): Promise<Measurement> {
  checkKnown('measure()', options, MEASURE_OPTIONS);
  const { contextWindow, signal } = options;
  checkSessionOptions({ contextWindow });
  const context = contextOf(layer);
  const { toolbox, countTokens, catalog } = context;
  const failed = new Map<string, string>();
  await Promise.all(
    [...toolbox.registry.groups.values()].map(async ({ group }) => {
      if (group.unavailable) failed.set(group.groupId, group.unavailable.reason);
      else {
        try {
          await toolbox.load(group.groupId, signal);
        } catch (error) {
          signal?.throwIfAborted();
          failed.set(group.groupId, errorMessage(error));
        }
      }
    }),
  );
  const tokens = new Map<string | undefined, { tools: number; tokens: number }>();
  for (const entry of toolbox.registry.entries()) {
    const tool = toolbox.toolOf(entry);
    const sum = tokens.get(entry.groupId) ?? { tools: 0, tokens: 0 };
    if (tool && toolbox.placement(entry).exposure !== 'hidden') {
      sum.tools++;
      sum.tokens += definitionTokens(toolbox.definitionOf(entry, tool), countTokens);
    }
    tokens.set(entry.groupId, sum);
  }
  const inputs = {
    ...{ toolbox, view: everything, list: listTools(toolbox, everything) },
    ...{ bridges: new Bridges(context.bridgeNames, undefined), append: PLAIN_APPEND },
    ...{ catalog, contextWindow, countTokens },
  };
  const measured = Object.values(strategies).map(
    (strategy) =>
      [
        strategy.name,
        measureEpoch(beginEpoch({ ...inputs, strategy, ownTools: 'deferred' }), context),
      ] as const,
  );
  const sums = [...tokens.values()];
  return {
    totals: {
      tools: sums.reduce((sum, group) => sum + group.tools, 0),
      schemaTokens: sums.reduce((sum, group) => sum + group.tokens, 0),
    },
    groups: [...toolbox.registry.groups.keys()].map((groupId) => {
      const reason = failed.get(groupId);
      const size = tokens.get(groupId) ?? { tools: 0, tokens: 0 };
      return { groupId, ...size, ...(reason === undefined ? {} : { unavailable: reason }) };
    }),
    strategies: Object.fromEntries(measured) as Record<StrategyName, StrategyMeasure>,
    auto: (await estimate(layer, {}, options)).auto,
  };
}

function measureEpoch(epoch: Epoch, { toolbox, countTokens }: LayerContext): StrategyMeasure {
  const { total, inline, bridges, catalog } = epochTokens(epoch, toolbox, countTokens);
  const { namesVisible, namesTotal, groupsVisible } = epoch.catalog;
  return { total, inline, bridges, catalog, namesVisible, namesTotal, groupsVisible };
}
