import { ToolfoldError } from '../../errors.ts';
import type { ToolRequest } from '../calls/index.ts';
import {
  type CostEstimate,
  chooseStrategy,
  contextOf,
  type Decision,
  type Deferred,
  estimateCost,
  listTools,
  type OwnTools,
  pricesToCompare,
  type RefusedTool,
  refusalOf,
  type Workload,
  workloadGrowth,
} from '../epoch/index.ts';
import type { ToolLayer } from '../index.ts';
import { checkKnown, type KnownOptions } from '../names/index.ts';
import { viewOf } from '../registry/index.ts';
import type { SessionOptions } from '../session/index.ts';
import { checkSettings, Session, scopeOf } from '../session/index.ts';
import {
  type AcceptedTools,
  Bridges,
  FALLBACK,
  type StrategyName,
  strategies,
} from '../strategies/index.ts';
import { definitionTokens } from '../tokens/index.ts';
import { meansOf, sizeOf } from './turn-size.ts';

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
  readonly auto: Decision;
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
function deferredIn(turn: ToolRequest, sizes: ReadonlyMap<string, number>): Deferred {
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
