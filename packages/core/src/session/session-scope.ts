import { ToolfoldError } from '../errors.ts';
import {
  intersectViews,
  type Toolbox,
  type View,
  viewOfGlobs,
  viewWithout,
} from '../registry/index.ts';
import { EpochChoice, type LayerContext } from '../request/index.ts';
import {
  type BridgeNames,
  Bridges,
  reservedNames,
  type Strategy,
  type StrategyName,
  strategies,
  wantedStrategy,
} from '../tool/index.ts';
import { type BridgeMeanings, bridgeMeanings } from '../transcript/index.ts';
import { getOrMake } from '../values/index.ts';
import { checkSessionOptions, type SessionOptions } from './options.ts';

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

/** Throws `invalid-option`, and `strategy-mismatch` where state and session defer under different strategies. */
export function scopeOf(layer: LayerContext, role: View, options: SessionOptions): SessionScope {
  checkSessionOptions(options);
  const view = narrowedView(role, options);
  const { state, modelId, contextWindow, append, appendRefused, prices, onMismatch } = options;
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
  if (mismatch && onMismatch !== 'new-epoch') {
    const made = state.strategy;
    // An app that switches deferral off, or on again, means its stored conversations too.
    const isSwitched = [made, wanted].some(
      (name) => strategies[name as StrategyName]?.defers === 'nothing',
    );
    if (onMismatch || !isSwitched)
      throw new ToolfoldError(
        'strategy-mismatch',
        `The state was made under "${made}", not "${wanted}".`,
        'Keep the strategy, or pass onMismatch: "new-epoch".',
      );
    layer.ignored.checkStrategy(wanted, made);
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

/** Narrows a view by the globs of one session. */
export function narrowedView(view: View, { only, without }: SessionOptions): View {
  const within = only ? intersectViews(view, viewOfGlobs(only)) : view;
  return without && without.length > 0 ? viewWithout(within, without) : within;
}

/**
 * Throws `empty-role` if a child's role asks for tools and its parent allows none of them.
 * `role` and `view`: the child's view without and with the limit of its parent.
 */
export function checkChild(
  { toolbox, roles }: LayerContext,
  name: string,
  role: View,
  view: View,
): void {
  const { tools, groups } = roles[name] ?? {};
  const names = tools !== undefined || groups !== undefined;
  const wantsNone = tools === false || tools?.length === 0;
  // A role that names nothing asks for all tools.
  const wants = names ? !wantsNone : hasAny(toolbox, role);
  if (!wants || hasAny(toolbox, view)) return;
  throw new ToolfoldError(
    'empty-role',
    `None of the tools that the role "${name}" names may be used here.`,
    'Give the child another role or no role, or give its parent a wider one.',
  );
}

/** Whether a view has tools, as far as that is known before groups load. */
function hasAny(toolbox: Toolbox, view: View): boolean {
  if (toolbox.visibleEntries(view).length > 0) return true;
  return [...toolbox.registry.groups.values()].some((group) => toolbox.groupVisibleTo(view, group));
}
