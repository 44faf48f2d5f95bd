import { errorMessage } from '../../errors.ts';
import {
  beginEpoch,
  contextOf,
  type Decision,
  type Epoch,
  epochTokens,
  type LayerContext,
  listTools,
} from '../epoch/index.ts';
import type { ToolLayer } from '../index.ts';
import { checkKnown, type KnownOptions } from '../names/index.ts';
import { everything } from '../registry/index.ts';
import { checkSessionOptions } from '../session/index.ts';
import { Bridges, PLAIN_APPEND, type StrategyName, strategies } from '../strategies/index.ts';
import { definitionTokens } from '../tokens/index.ts';
import { estimate } from './estimate.ts';

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
  readonly auto: Decision;
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
