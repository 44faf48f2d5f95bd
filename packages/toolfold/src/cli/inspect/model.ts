import { WRITERS } from '@toolfold/ai-sdk/internal/native';
import {
  acceptedToolsOf,
  type ModelIdentity,
  type NativeForm,
  nativeRowOf,
  pricesOf,
} from '@toolfold/core/internal/models';
import {
  DEFAULT_WORKLOAD,
  type StrategyName,
  TOKENS_PROCESSED,
  type ToolLayer,
} from '@toolfold/core/internal/tools';
import {
  type CachePrices,
  type CostEstimate,
  type Estimate,
  estimate,
  type Workload,
} from '@toolfold/core/internal/tools/estimate';
import { strategies } from '@toolfold/core/internal/tools/strategies';
import { pick } from '@toolfold/core/internal/tools/values';

/** The flags of the model, whose name is as the user typed it, and of the task to estimate. */
export interface ModelFlags {
  readonly model?: string;
  readonly turns?: number;
  readonly loads?: number;
  readonly toolsPerLoad?: number;
  readonly context?: number;
}

/** The estimated cost of a task on a model under each strategy, with its inputs. */
export interface ModelReport {
  readonly model: {
    readonly name: string;
    /** With source and date if the prices are known. Else they count the tokens processed. */
    readonly prices: CachePrices & { readonly source?: string; readonly date?: string };
    /** How the model accepts new tools during a conversation, best first. */
    readonly nativeForms: readonly NativeForm[];
    /** The day on which a live run has proven the first form. Without one, `auto` does not choose `native`. */
    readonly proven?: string;
  };
  readonly workload: Pick<Workload, 'turns' | 'loads' | 'toolsPerLoad'>;
  /** Tools that the model's endpoint would refuse among declared ones, with the rule. */
  readonly refused: Estimate['refused'];
  readonly estimates: Readonly<Record<string, CostEstimate & { readonly available: boolean }>>;
}

/** Loads all tools and estimates. Throws `invalid-option` for a task of impossible size. */
export async function estimateModel(
  layer: ToolLayer,
  identity: ModelIdentity,
  flags: ModelFlags,
  signal: AbortSignal,
): Promise<ModelReport & Pick<Estimate, 'auto'>> {
  const { model: name = '', context: contextWindow } = flags;
  const { turns = DEFAULT_WORKLOAD.turns, loads = DEFAULT_WORKLOAD.loads, toolsPerLoad } = flags;
  const workload = { turns, loads, toolsPerLoad };
  const row = pricesOf(identity);
  const { forms: nativeForms, proven } = nativeRowOf(identity) ?? { forms: [] };
  const [form] = nativeForms;
  const accepts = acceptedToolsOf(identity);
  const {
    strategies: costs,
    auto,
    refused,
  } = await estimate(layer, workload, {
    ...{ contextWindow, signal, prices: row ?? 'unknown' },
    modelId: `${identity.provider}/${identity.modelId}`,
    ...(accepts && { accepts }),
    append: form && { ...WRITERS[form].append, proven },
  });
  const estimates = Object.entries(costs).map(([strategy, cost]) => {
    const { delivers } = strategies[strategy as StrategyName];
    return [strategy, { ...cost, available: form !== undefined || delivers !== 'append' }];
  });
  const known = pick(row ?? TOKENS_PROCESSED, 'write', 'read', 'minPrefix');
  const prices = { ...known, ...(row && pick(row, 'source', 'date')) };
  return {
    model: { name, prices, nativeForms, ...(proven !== undefined && { proven }) },
    ...{ workload, estimates: Object.fromEntries(estimates), auto, refused },
  };
}
