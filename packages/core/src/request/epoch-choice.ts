import type { View } from '../registry/index.ts';
import {
  type AcceptedTools,
  type AppendForm,
  type Bridges,
  declarable,
  FALLBACK,
  fingerprint as fingerprintOf,
  hashText,
  isStrategyName,
  PLAIN_APPEND,
  type Strategy,
  type StrategyName,
  strategies,
  type ToolDefinition,
} from '../tool/index.ts';
import { type ActiveNote, ALL_ACTIVE, type EpochNote, isAll } from '../transcript/index.ts';
import { byCodePoint, getOrMake } from '../values/index.ts';
import { chooseStrategy, type StrategyDecision, whyNotAllDeclared } from './auto.ts';
import type { KnownPrices } from './cost.ts';
import { beginEpoch, type Epoch, type EpochInputs, type OwnTools, refusalOf } from './epoch.ts';
import type { LayerContext } from './layer-context.ts';
import type { ToolState } from './state.ts';
import { listIn, listTools, type ToolList } from './tool-list.ts';

export interface Chosen {
  readonly epoch: Epoch;
  /** Why this strategy was chosen and, if a new epoch began, why. */
  readonly reason: string;
}

interface EpochSettings {
  readonly layer: LayerContext;
  readonly view: View;
  /** The bridge tools under the names they have in a strategy. */
  readonly bridgesOf: (strategy: Strategy) => Bridges;
  readonly append: AppendForm | undefined;
  /** Why tools cannot be appended, where that is known. */
  readonly appendRefused: string | undefined;
  readonly accepts: AcceptedTools | undefined;
  readonly prices: KnownPrices | undefined;
  readonly wanted: StrategyName | 'auto';
  readonly modelId: string | undefined;
  readonly contextWindow: number | undefined;
  readonly state: ToolState | null | undefined;
}

/** Identifies an epoch, in a note or in a state. */
interface EpochIdentity {
  readonly strategy: StrategyName;
  readonly fingerprint: string;
  readonly active?: ActiveNote | undefined;
}

const UNREACHED = 'groups appeared that the epoch had no way to reach';
const SENT_ANEW = 'the tools changed, so their list is sent anew';

/** Finds the frozen bytes of a conversation, or freezes new ones. */
export class EpochChoice {
  readonly scopeId: string;
  readonly #settings: EpochSettings;

  constructor(settings: EpochSettings) {
    this.#settings = settings;
    // A hash of role and model: the id travels with messages that a browser may hold.
    this.scopeId = hashText(`${settings.view.key}\0${settings.modelId ?? ''}`, 12);
  }

  /** The strategy a new epoch would have. */
  decide(): StrategyDecision {
    const { wanted, layer, prices, appendRefused } = this.#settings;
    if (wanted === 'auto') {
      return getOrMake(layer.memo, `auto|${this.#key()}`, () =>
        chooseStrategy(this.#inputs(strategies[FALLBACK]), {
          ...layer.auto,
          ...(prices ? { prices } : {}),
          append: this.appendFormOf(strategies.native),
        }),
      );
    }
    // A strategy that the app names defers all that it did not mark.
    const ownTools = 'deferred';
    if (this.#canServe(strategies[wanted])) {
      const form = this.appendFormOf(strategies[wanted]);
      const reason = form ? `asked for; tools are appended as ${form.id}` : 'asked for';
      return { strategy: wanted, ownTools, reason };
    }
    return { strategy: FALLBACK, ownTools, reason: `instead of ${wanted}: ${appendRefused}` };
  }

  /** The form in which a strategy appends; undefined where it does not, or cannot. */
  appendFormOf({ delivers }: Strategy): AppendForm | undefined {
    const { append, appendRefused, wanted } = this.#settings;
    if (delivers !== 'append' || appendRefused !== undefined) return;
    // A host that names the strategy is assumed to know how to send it.
    return append ?? (wanted === 'auto' ? undefined : PLAIN_APPEND);
  }

  /** The strategy that was requested, if the epoch uses another one. */
  insteadOf({ strategy }: Epoch): string | undefined {
    const { wanted } = this.#settings;
    return wanted === 'auto' || wanted === strategy.name ? undefined : wanted;
  }

  /**
   * The strategy of the next request: from the messages, from the given state, or from a new
   * epoch.
   */
  strategyFor(note: EpochNote | undefined): Strategy {
    const { state } = this.#settings;
    const known = note ?? state;
    return strategies[(known && this.#served(known)) ?? this.decide().strategy];
  }

  #canServe(strategy: Strategy): boolean {
    return strategy.delivers !== 'append' || this.appendFormOf(strategy) !== undefined;
  }

  /**
   * The strategy of a conversation that can continue: it is the requested one and is still
   * possible.
   */
  #served({
    strategy,
    insteadOf,
  }: Pick<EpochNote, 'strategy' | 'insteadOf'>): StrategyName | undefined {
    const { wanted } = this.#settings;
    if (!isStrategyName(strategy) || !this.#canServe(strategies[strategy])) return;
    const isWanted = wanted === 'auto' || strategy === wanted;
    return isWanted || this.#standsIn({ strategy, insteadOf }) ? strategy : undefined;
  }

  /**
   * Whether it is the fallback for the requested strategy. No other strategy is ever accepted
   * in its place, whatever messages from a browser say.
   */
  #standsIn({ strategy, insteadOf }: Pick<EpochNote, 'strategy' | 'insteadOf'>): boolean {
    const { wanted } = this.#settings;
    if (wanted === 'auto' || strategy !== FALLBACK) return false;
    return strategies[wanted].delivers === 'append' && insteadOf === wanted;
  }

  /** Whether the epoch of the messages, or of the state, is available without building it. */
  isKnown(note: EpochNote | undefined): boolean {
    const { layer, state } = this.#settings;
    const fingerprint = note?.fingerprint ?? state?.fingerprint;
    if (fingerprint === undefined) return false;
    const isKept = layer.epochs.get(this.#epochKey(fingerprint)) !== undefined;
    return isKept || (state?.fingerprint === fingerprint && state.frozen !== undefined);
  }

  /**
   * The epoch that the messages name, if its bytes are available; else a new one with a
   * reason. `active`: what the catalog of a new one shows.
   */
  fromNote(note: EpochNote, active: ActiveNote): Chosen {
    const begin = (because: string) => this.beginEpoch(active, because, note);
    const strategy = note.scope === this.scopeId ? this.#served(note) : undefined;
    if (!strategy) return begin('strategy, role or model changed');
    const epoch = this.#find({ ...note, strategy });
    if (!epoch) return begin('the catalog these messages were made with is not known here');
    if (this.#isSentAnew(epoch, note.fingerprint)) return begin(SENT_ANEW);
    return this.#reachesAll(epoch)
      ? { epoch, reason: 'resumed from the messages' }
      : begin(UNREACHED);
  }

  /** The epoch of the state that the session was given, if its bytes are available. */
  fromState(): Chosen | undefined {
    const { state } = this.#settings;
    const strategy = state && this.#served(state);
    if (!strategy) return;
    const { fingerprint, frozen } = state;
    const epoch = this.#find({ strategy, fingerprint, active: frozen?.active });
    return epoch && this.#reachesAll(epoch)
      ? { epoch, reason: 'resumed from the state' }
      : undefined;
  }

  /**
   * Begins a new epoch. `note`: the note of the previous epoch, whose endpoint may have
   * refused the requested strategy.
   */
  beginEpoch(active: ActiveNote, because?: string, note?: EpochNote): Chosen {
    const isRefused = note !== undefined && this.#standsIn(note);
    const { strategy, reason } = isRefused
      ? { strategy: FALLBACK, reason: `instead of ${note.insteadOf}, which was refused` }
      : this.decide();
    const { wanted, layer } = this.#settings;
    layer.ignored.checkStrategy(wanted);
    const text = because === undefined ? reason : `new epoch: ${because}; ${reason}`;
    return { epoch: this.#build(strategy, active), reason: text };
  }

  /**
   * Rebuilds what is not frozen, under the same strategy. Replaces an epoch that no longer
   * works.
   */
  continueOrBegin(chosen: Chosen, active: ActiveNote): Chosen {
    const { epoch, reason } = chosen;
    const { name, defers } = epoch.strategy;
    if (defers === 'nothing') {
      const now = this.#build(name);
      if (!this.#reachesAll(now)) return this.beginEpoch(active, UNREACHED);
      const next = this.#isSentAnew(now, epoch.fingerprint) && this.decide().strategy !== name;
      return next ? this.beginEpoch(active, SENT_ANEW) : { epoch: now, reason };
    }
    return this.#reachesAll(epoch) ? chosen : this.beginEpoch(active, UNREACHED);
  }

  /**
   * False for an epoch that began without bridge tools while there are deferred groups now, and for one
   * in which `auto` declares everything while the endpoint does not accept that now.
   */
  #reachesAll({ strategy, bridges }: Epoch): boolean {
    if (strategy.defers === 'nothing')
      return (
        this.#settings.wanted !== 'auto' || whyNotAllDeclared(this.#inputs(strategy)) === undefined
      );
    if (bridges.length > 0) return true;
    return this.#build(strategy.name).bridges.length === 0;
  }

  /**
   * Whether `auto` chooses again: an epoch that freezes nothing declares other tools than before, so that the
   * prefix is lost under every strategy.
   */
  #isSentAnew({ strategy, fingerprint }: Epoch, before: string): boolean {
    const isChanged = strategy.defers === 'nothing' && fingerprint !== before;
    return isChanged && this.#settings.wanted === 'auto';
  }

  /**
   * The list that the view can see now. It is kept, so that later changes are compared with it. `start`: that of
   * the epoch.
   */
  currentList(start?: ToolList): ToolList {
    const { layer, view } = this.#settings;
    const list = getOrMake(layer.memo, `list|${this.scopeId}|${layer.toolbox.listVersion}`, () => {
      const list = listTools(layer.toolbox, view);
      return layer.lists.set(`${this.scopeId}|${list.id}`, list);
    });
    const now = start ? listIn(start, list) : list;
    return now === list ? list : layer.lists.set(`${this.scopeId}|${now.id}`, now);
  }

  /** A note can only narrow what is rendered here, and the fingerprint must match. */
  #find({ fingerprint, strategy, active = ALL_ACTIVE }: EpochIdentity): Epoch | undefined {
    const { layer, state } = this.#settings;
    const known = layer.epochs.get(this.#epochKey(fingerprint));
    if (known) return known;
    const current = this.#build(strategy, active);
    // Without deferral nothing is frozen: each request declares the tools that exist at that
    // time.
    if (strategies[strategy].defers === 'nothing' || current.fingerprint === fingerprint)
      return current;
    // The epoch began under another setting, in which own tools had the other place.
    const other = this.#build(
      strategy,
      active,
      this.#ownTools === 'inline' ? 'deferred' : 'inline',
    );
    if (other.fingerprint === fingerprint) return other;
    if (state?.fingerprint !== fingerprint || !state.frozen) return;
    const { list, own = [], deferred = [], ...bytes } = state.frozen;
    const { accepts, refused, problem } = current;
    if (!this.#takes([...bytes.groupTools, ...deferred], bytes.ownNames)) return;
    if (this.#mustDeclareMore(bytes.ownNames)) return;
    const groups = new Map(
      list.map(([groupId, group]) => [groupId, { ...group, version: group.version }]),
    );
    return this.#keep({
      ...bytes,
      deferred,
      active,
      append: current.append,
      accepts,
      refused,
      problem,
      strategy: strategies[strategy],
      fingerprint,
      catalog: current.catalog,
      list: { id: fingerprintOf(list), groups, own: [...bytes.ownNames, ...own].sort(byCodePoint) },
    });
  }

  /** Whether the endpoint accepts what a state declares, which may come from a conversation with another model. */
  #takes(tools: readonly ToolDefinition[], ownNames: readonly string[]): boolean {
    const { accepts, layer } = this.#settings;
    const own = ownNames.flatMap((name) => layer.toolbox.registry.appTools.get(name) ?? []);
    return (
      tools.every((tool) => declarable(tool, accepts).tool) &&
      own.every((entry) => refusalOf(layer.toolbox, entry, accepts) === undefined)
    );
  }

  /** Whether the view has an own tool now that only a declaration reaches and that these names lack. */
  #mustDeclareMore(ownNames: readonly string[]): boolean {
    const { layer, view } = this.#settings;
    const own = [...layer.toolbox.registry.appTools.values()];
    return own.filter(layer.toolbox.listedTo(view)).some(({ name, appTool }) => {
      return appTool?.inlineBecause !== undefined && !ownNames.includes(name);
    });
  }

  get #ownTools(): OwnTools {
    return this.#settings.layer.ownTools ?? this.decide().ownTools;
  }

  #build(
    name: StrategyName,
    wanted: ActiveNote = ALL_ACTIVE,
    ownTools: OwnTools = this.#ownTools,
  ): Epoch {
    const strategy = strategies[name];
    // Without deferral there is no catalog to narrow.
    const active = strategy.defers === 'nothing' ? ALL_ACTIVE : wanted;
    const narrowed = isAll(active) ? '' : hashText(JSON.stringify(active), 16);
    const key = `epoch|${name}|${ownTools}|${this.#key()}|${narrowed}`;
    return getOrMake(this.#settings.layer.memo, key, () =>
      this.#keep(beginEpoch({ ...this.#inputs(strategy), strategy, ownTools, active })),
    );
  }

  /** The same bytes are another epoch where another endpoint takes what loads later. */
  #epochKey(fingerprint: string): string {
    return `${this.scopeId}|${this.#settings.accepts?.by ?? ''}|${fingerprint}`;
  }

  #keep(epoch: Epoch): Epoch {
    const { layer } = this.#settings;
    if (epoch.strategy.defers === 'nothing') return epoch;
    layer.lists.set(`${this.scopeId}|${epoch.list.id}`, epoch.list);
    return layer.epochs.set(this.#epochKey(epoch.fingerprint), epoch);
  }

  #inputs(strategy: Strategy): Omit<EpochInputs, 'strategy' | 'ownTools' | 'active'> {
    const { layer, view, bridgesOf, contextWindow, accepts } = this.#settings;
    const { toolbox, catalog, countTokens } = layer;
    const [bridges, append] = [bridgesOf(strategy), this.appendFormOf(strategy)];
    const list = this.currentList();
    return { toolbox, view, list, bridges, append, accepts, catalog, contextWindow, countTokens };
  }

  #key(): string {
    const { contextWindow, layer, append, appendRefused, prices, accepts } = this.#settings;
    const known = append && `${append.id} ${append.proven ?? ''}`;
    const form = appendRefused === undefined ? known : 'refused';
    const price = prices ? JSON.stringify(prices) : '';
    return `${this.scopeId}|${contextWindow ?? ''}|${layer.toolbox.version}|${form}|${price}|${accepts?.by ?? ''}`;
  }
}
