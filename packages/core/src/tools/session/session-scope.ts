import { ToolfoldError } from '../../errors.ts';
import { EpochChoice, type LayerContext } from '../epoch/index.ts';
import type { View } from '../registry/index.ts';
import {
  type BridgeNames,
  Bridges,
  reservedNames,
  type Strategy,
  wantedStrategy,
} from '../strategies/index.ts';
import { type BridgeMeanings, bridgeMeanings } from '../transcript/index.ts';
import { getOrMake } from '../values/index.ts';
import { narrowedView } from './ceiling.ts';
import { checkSessionOptions } from './options-check.ts';
import type { SessionOptions } from './session-options.ts';

/** What a session never changes. Its forks share it. */
export interface SessionScope {
  readonly layer: LayerContext;
  /** The tools that the role and the options of the session allow. */
  readonly view: View;
  readonly options: SessionOptions;
  /** Bridge tools under their usual names, and under those of the form of appending. */
  readonly bridges: Bridges;
  readonly appendBridges: Bridges;
  /** What their names mean in messages. */
  readonly meanings: BridgeMeanings;
  readonly choice: EpochChoice;
}

/** Throws `invalid-option`, and `strategy-mismatch` where the state belongs to another strategy. */
export function scopeOf(layer: LayerContext, role: View, options: SessionOptions): SessionScope {
  checkSessionOptions(options);
  const view = narrowedView(role, options);
  const { state, modelId, contextWindow, append, appendRefused, prices } = options;
  const strategy = options.strategy ?? layer.strategy;
  layer.definitions.add(state?.appended ?? []);
  const named = namedBridges(layer, modelId, append?.names);
  const wanted = wantedStrategy(strategy);
  const choice = new EpochChoice({
    layer,
    view,
    bridgesOf: (strategy) => bridgesOf(named, strategy),
    append,
    appendRefused,
    // The off switch changes nothing.
    accepts: strategy === false ? undefined : options.accepts,
    prices,
    wanted,
    modelId,
    contextWindow,
    state,
  });
  const mismatch =
    state && wanted !== 'auto' && ![state.strategy, state.insteadOf].includes(wanted);
  if (mismatch && options.onMismatch !== 'new-epoch') {
    throw new ToolfoldError(
      'strategy-mismatch',
      `The state was made under "${state.strategy}", this session asks for "${wanted}".`,
      'Resume with the same strategy, or pass onMismatch: "new-epoch".',
    );
  }
  return { layer, view, options, ...named, choice };
}

/** The bridge tools of a model under all their names. The sessions of a layer share them. */
function namedBridges(
  { toolbox, bridgeNames, memo }: LayerContext,
  modelId: string | undefined,
  ofForm: BridgeNames | undefined,
): Pick<SessionScope, 'bridges' | 'appendBridges' | 'meanings'> {
  return getOrMake(memo, `bridges|${JSON.stringify([modelId, ofForm])}`, () => {
    const bridges = new Bridges(bridgeNames, modelId);
    const appendBridges = ofForm ? new Bridges({ ...bridgeNames, ...ofForm }, modelId) : bridges;
    const meanings = bridgeMeanings(toolbox, [bridges, appendBridges], reservedNames(bridgeNames));
    return { bridges, appendBridges, meanings };
  });
}

/** The bridge tools under the names that they have in a strategy. */
export function bridgesOf(
  { bridges, appendBridges }: Pick<SessionScope, 'bridges' | 'appendBridges'>,
  { delivers }: Strategy,
): Bridges {
  return delivers === 'append' ? appendBridges : bridges;
}
