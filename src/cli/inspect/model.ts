import { WRITERS } from '../../ai-sdk/native/index.ts';
import {
  type ModelIdentity,
  type NativeForm,
  nativeFormsOf,
  pricesOf,
} from '../../models/index.ts';
import {
  type CachePrices,
  type CostEstimate,
  type Estimate,
  estimate,
  type Workload,
} from '../../tools/estimate/index.ts';
import {
  DEFAULT_WORKLOAD,
  type StrategyName,
  TOKENS_PROCESSED,
  type ToolLayer,
} from '../../tools/index.ts';
import { strategies } from '../../tools/strategies/index.ts';
import { pick } from '../../tools/values/index.ts';

/** The name of the model as the user typed it, and the task to estimate. */
export interface ModelQuery {
  readonly model?: string | undefined;
  readonly turns?: number | undefined;
  readonly loads?: number | undefined;
  readonly toolsPerLoad?: number | undefined;
  readonly context?: number | undefined;
  readonly signal: AbortSignal;
}

/** The estimated cost of a task on a model under each strategy, with its inputs. */
export interface ModelReport {
  readonly model: {
    readonly name: string;
    /** With source and date if the prices are known. Else they count the tokens processed. */
    readonly prices: CachePrices & { readonly source?: string; readonly date?: string };
    /** How the model accepts new tools during a conversation, best first. */
    readonly nativeForms: readonly NativeForm[];
  };
  readonly workload: Pick<Workload, 'turns' | 'loads' | 'toolsPerLoad'>;
  readonly estimates: Readonly<Record<string, CostEstimate & { readonly available: boolean }>>;
}

/** Loads all tools and estimates. Throws `invalid-option` for a task of impossible size. */
export async function estimateModel(
  layer: ToolLayer,
  identity: ModelIdentity,
  query: ModelQuery,
): Promise<ModelReport & Pick<Estimate, 'auto'>> {
  const { model: name = '', context: contextWindow, signal } = query;
  const { turns = DEFAULT_WORKLOAD.turns, loads = DEFAULT_WORKLOAD.loads, toolsPerLoad } = query;
  const row = pricesOf(identity);
  const prices = row ?? TOKENS_PROCESSED;
  const nativeForms = nativeFormsOf(identity);
  const [form] = nativeForms;
  const { strategies: costs, auto } = await estimate(
    layer,
    { turns, loads, toolsPerLoad },
    {
      ...{ contextWindow, signal, prices: row ?? 'unknown' },
      modelId: `${identity.provider}/${identity.modelId}`,
      append: form && WRITERS[form].append,
    },
  );
  const isAvailable = (strategy: StrategyName) =>
    form !== undefined || strategies[strategy].delivers !== 'append';
  const estimates = Object.entries(costs).map(([strategy, cost]) => [
    strategy,
    { ...cost, available: isAvailable(strategy as StrategyName) },
  ]);
  return {
    model: {
      name,
      prices: {
        ...pick(prices, 'write', 'read', 'minPrefix'),
        ...(row && pick(row, 'source', 'date')),
      },
      nativeForms,
    },
    workload: { turns, loads, toolsPerLoad },
    estimates: Object.fromEntries(estimates),
    auto,
  };
}
