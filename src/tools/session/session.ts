import { ToolfoldError } from '../../errors.ts';
import { everything, except, intersect, type View, viewOf, viewOfGlobs } from '../access/index.ts';
import { type Route, type RouteOptions, type Scope, Turn } from '../calls/index.ts';
import { listed } from '../catalog/index.ts';
import {
  type Chosen,
  EpochChoice,
  expandedEntries,
  expandedState,
  findLoaded,
  freeze,
  isToolOf,
  type LayerContext,
  loadedRanks,
  type ToolState,
  unlistedGroup,
} from '../epoch/index.ts';
import { checkSessionOptions, type SessionOptions } from '../options/index.ts';
import {
  loadGroups,
  NOTHING_TOLD,
  type Presentation,
  presentTurn,
  type Told,
} from '../presentation/index.ts';
import type { Toolbox } from '../registry/index.ts';
import { Bridges, type Strategy, wantedStrategy } from '../strategies/index.ts';
import type { DeferredToolGroup, Entry, Tool } from '../tool/index.ts';
import {
  type Active,
  ALL_ACTIVE,
  activeOf,
  type Folded,
  foldTranscript,
  type Offer,
  type TranscriptCall,
  type TranscriptMessage,
  viewOfNote,
} from '../transcript/index.ts';
import { type Explanation, explain } from './explain.ts';

export interface TurnOptions {
  /**
   * What the host offers in this request; left out, the tools that the messages last spoke of.
   * `all`: the call was let through already, and only the role is to be asked.
   */
  readonly offer?: Offer | 'all' | undefined;
}

/** The tools of one conversation, as one role and one model see them. */
export class Session {
  readonly #layer: LayerContext;
  readonly #view: View;
  readonly #options: SessionOptions;
  /** Bridge tools by their usual names, and by those of the form in which tools are appended. */
  readonly #bridges: Bridges;
  readonly #appendBridges: Bridges;
  readonly #choice: EpochChoice;
  #chosen: Chosen | undefined;
  #turn: Turn | undefined;
  #told: Told = NOTHING_TOLD;

  /** Throws `invalid-option`, and `strategy-mismatch` where the state belongs to another strategy. */
  constructor(layer: LayerContext, view: View, options: SessionOptions) {
    checkSessionOptions(options);
    this.#layer = layer;
    this.#view = narrowed(view, options);
    this.#options = options;
    const { state, modelId, contextWindow, append, appendRefused, prices } = options;
    layer.definitions.add(state?.appended ?? []);
    this.#bridges = new Bridges(layer.bridgeNames, modelId);
    this.#appendBridges = append?.names
      ? new Bridges({ ...layer.bridgeNames, ...append.names }, modelId)
      : this.#bridges;
    const wanted = wantedStrategy(options.strategy ?? layer.strategy);
    this.#choice = new EpochChoice({
      layer,
      view: this.#view,
      bridgesOf: (strategy) => this.#bridgesOf(strategy),
      append,
      appendRefused,
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
  }

  /**
   * Loads what the next `present` must declare: every group in `eager`, groups marked inline, and
   * what was loaded before in strategies that declare loaded tools. Touches no other loader. A
   * loader that fails is a warning, and its tools stay deferred. Rejects only when the signal fires.
   */
  async prepare(
    messages: readonly TranscriptMessage[] = [],
    options: RouteOptions & TurnOptions = {},
  ): Promise<void> {
    const folded = this.#fold(messages, options.offer);
    const active = this.#active(folded, options.offer);
    const expected = this.#choice.strategyFor(folded.epoch);
    await this.#prepareFor(expected, folded, active, options.signal);
    // Where the bytes of the messages' epoch cannot be had, a new one begins: in another strategy, perhaps.
    const { strategy } = this.#epochOf(folded, active).epoch;
    if (strategy !== expected) await this.#prepareFor(strategy, folded, active, options.signal);
  }

  async #prepareFor(
    strategy: Strategy,
    folded: Folded,
    { note }: Active,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { registry } = this.#layer.toolbox;
    await loadGroups(this.#layer, {
      view: this.#view,
      strategy,
      // Once an epoch's bytes are known, nothing has to load for them.
      append: this.#choice.isKnown(folded.epoch) ? undefined : this.#choice.formOf(strategy),
      loaded: [
        ...this.#loaded(folded).map((entry) => entry.groupId),
        ...folded.expansions.map((e) => e.groupId),
        ...folded.loaded.map(({ name }) => unlistedGroup(registry, name)),
      ],
      active: viewOfNote(folded.epoch ? (folded.epoch.active ?? ALL_ACTIVE) : note),
      signal,
    });
  }

  /** What to send for these messages. Pure over them and over what has loaded; runs no loader. */
  present(messages: readonly TranscriptMessage[], options: TurnOptions = {}): Presentation {
    this.#turn = this.turn(messages, options);
    const { presentation } = this.#turn;
    const { inserts, note } = presentation;
    if (note?.inserts) {
      const { announced = this.#told.announced, active = this.#told.active } = note;
      this.#told = { inserts, announced, active };
    }
    return presentation;
  }

  /** Decides a call that came back on the latest `present`. */
  route(call: TranscriptCall, options?: RouteOptions): Promise<Route> {
    this.#turn ??= this.turn([]);
    return this.#turn.route(call, options);
  }

  /** One request on its own, for hosts that serve several conversations from one session. */
  turn(messages: readonly TranscriptMessage[], { offer }: TurnOptions = {}): Turn {
    const folded = this.#fold(messages, offer);
    const active = this.#active(folded, offer);
    const { epoch } = this.#epochOf(folded, active);
    const loaded = this.#loaded(folded);
    const earlier = this.#options.state?.expandedGroups ?? {};
    const presentation = presentTurn({
      layer: this.#layer,
      view: this.#view,
      active,
      bridges: this.#bridgesOf(epoch.strategy),
      choice: this.#choice,
      epoch,
      folded,
      messages,
      loaded,
      told: this.#told,
    });
    const declared = new Set(presentation.tools.map((tool) => tool.name));
    const { toolbox, limits, countTokens, onToolsExpanded, lists } = this.#layer;
    const bridges = this.#bridgesOf(epoch.strategy);
    const scope: Scope = {
      toolbox,
      role: this.#view,
      view: active.view === everything ? this.#view : intersect(this.#view, active.view),
      bridges,
      strategy: epoch.strategy,
      limits,
      countTokens,
      folded,
      loadedRanks: (groupId) => loadedRanks(earlier, folded, groupId),
      hasSearch: declared.has(bridges.name('tool_search')),
      canLoad:
        declared.has(bridges.name('load_tools')) || declared.has(bridges.name('tool_search')),
      wasRemoved: (name) => {
        const gone = (groupId: string) => !toolbox.registry.groups.has(groupId);
        const known = [epoch.list, ...lists.values(this.#choice.scopeId)];
        return known.some((list) => listed(list, name, gone));
      },
      isDeclared: (entry) => declared.has(entry.name),
      onToolsExpanded,
    };
    return new Turn(epoch, presentation, scope, this.#layer.onCall);
  }

  /** The tool list changed, for the whole layer: every conversation is told once, at its tail. */
  update(groups: readonly DeferredToolGroup[]): void {
    const folded = this.#fold([]);
    this.#epochOf(folded, this.#active(folded));
    this.#choice.list();
    this.#layer.toolbox.update(groups);
  }

  /** Plain JSON; resumes the epoch in another process even where the tools have changed since. */
  state(): ToolState {
    const { epoch, folded, presentation } = this.#turn ?? this.turn([]);
    const appended = this.#layer.definitions.keysOf(presentation.deliveries);
    const insteadOf = this.#choice.insteadOf(epoch);
    return {
      strategy: epoch.strategy.name,
      fingerprint: epoch.fingerprint,
      ...(insteadOf === undefined ? {} : { insteadOf }),
      expandedGroups: expandedState(
        this.#options.state?.expandedGroups ?? {},
        folded,
        this.#layer.toolbox.registry,
      ),
      ...(appended.length > 0 ? { appended } : {}),
      frozen: freeze(epoch),
    };
  }

  /** A second conversation from the same point: same role, same bytes, nothing shared back. */
  fork(): Session {
    const { only: _, without: __, ...options } = this.#options;
    const fork = new Session(this.#layer, this.#view, options);
    fork.#chosen = this.#chosen;
    fork.#turn = this.#turn;
    fork.#told = this.#told;
    return fork;
  }

  /**
   * A subagent's session: its role under this session's ceiling, a catalog and prefix of its own.
   * Throws `unknown-role`, and `empty-role` where the role asks for tools and none is left of them.
   */
  child(options: SessionOptions = {}): Session {
    const { state: _, role: __, only: ___, without: ____, ...inherited } = this.#options;
    const { roles } = this.#layer;
    const role = viewOf(roles, options.role);
    const view = options.role === undefined ? this.#view : intersect(this.#view, role);
    if (options.role !== undefined)
      this.#checkChild(options.role, narrowed(role, options), narrowed(view, options));
    return new Session(this.#layer, view, { ...inherited, ...options });
  }

  /** A role that wants tools, and under this session's ceiling has none, would be sent to work with empty hands. */
  #checkChild(name: string, role: View, view: View): void {
    const { toolbox, roles } = this.#layer;
    const { tools, groups } = roles[name] ?? {};
    const names = tools !== undefined || groups !== undefined;
    const wantsNone = tools === false || tools?.length === 0;
    // A role that names nothing wants whatever there is.
    const wants = names ? !wantsNone : hasAny(toolbox, role);
    if (!wants || hasAny(toolbox, view)) return;
    throw new ToolfoldError(
      'empty-role',
      `Of the tools that role "${name}" names none may be used here.`,
      'Give another role, or none; or the one who delegates a wider one.',
    );
  }

  /** Whether the role may have a tool of this name that the layer does not know: a provider's own. */
  allows(name: string): boolean {
    return this.#view.allows({ name, bare: name, groupId: undefined });
  }

  /** The tool of exactly this name that this view may use, loaded or not. */
  find(name: string): Entry | undefined {
    const { toolbox } = this.#layer;
    const entry = toolbox.registry.get(name);
    return entry && toolbox.visibleTo(this.#view)(entry) ? entry : undefined;
  }

  /** The tool itself, where it is known without loading. */
  toolOf(entry: Entry): Tool | undefined {
    return this.#layer.toolbox.toolOf(entry);
  }

  /** What a tool is known by at this moment; see `Toolbox.bindingOf`. */
  bindingOf(entry: Entry): string {
    return this.#layer.toolbox.bindingOf(entry);
  }

  /** Whether the tool is still the one that the binding was made for. */
  isBound(entry: Entry, binding: string): boolean {
    return this.#layer.toolbox.isBound(entry, binding);
  }

  /** In which format a tool of this view returns its results, where its group says one. */
  resultFormatOf(name: string): DeferredToolGroup['resultFormat'] {
    const { groupId = '' } = this.find(name) ?? {};
    return this.#layer.toolbox.registry.groups.get(groupId)?.group.resultFormat;
  }

  /** Canonical names of all tools of groups that this view may use, as far as they are known. */
  groupToolNames(): string[] {
    const { toolbox } = this.#layer;
    const visible = toolbox.visibleTo(this.#view);
    const names: string[] = [];
    for (const entry of toolbox.registry.entries()) {
      if (entry.groupId !== undefined && visible(entry)) names.push(entry.name);
    }
    return names;
  }

  /** Strategy and reason; each tool declared, deferred or hidden, and why; tokens of the latest turn. */
  explain(): Explanation {
    const turn = this.#turn ?? this.turn([]);
    const { reason } = this.#epochOf(turn.folded, this.#active(turn.folded));
    return explain(this.#layer, this.#view, turn, reason);
  }

  #bridgesOf({ delivers }: Strategy): Bridges {
    return delivers === 'append' ? this.#appendBridges : this.#bridges;
  }

  #fold(messages: readonly TranscriptMessage[], offer?: TurnOptions['offer']): Folded {
    const { registry } = this.#layer.toolbox;
    const beside = new Set(offer && offer !== 'all' ? offer.beside : []);
    const kindOf = (name: string) => {
      const kind = registry.get(name) ? undefined : this.#appendBridges.kind(name);
      // A tool of the host's may have a name that a bridge tool had once.
      const isNow = [this.#bridges, this.#appendBridges].some(
        (bridges) => kind !== undefined && bridges.name(kind) === name,
      );
      return isNow || !beside.has(name) ? kind : undefined;
    };
    return foldTranscript(messages, kindOf, (name, groupId) => isToolOf(registry, name, groupId));
  }

  /** What the host offers; where it does not say, what the messages last said of it. */
  #active(folded: Folded, offer?: TurnOptions['offer']): Active {
    if (offer && offer !== 'all')
      return activeOf(offer, this.#layer.toolbox, this.#view, this.#appendBridges);
    const told = folded.active ?? this.#told.active ?? ALL_ACTIVE;
    const note = offer === 'all' ? ALL_ACTIVE : told;
    return { view: viewOfNote(note), note, beside: [] };
  }

  /** The messages' own epoch; else the one this session began or resumed. */
  #epochOf(folded: Folded, { note: active }: Active): Chosen {
    if (folded.epoch) {
      const noted = this.#choice.fromNote(folded.epoch, active);
      // Begun here: the reason it was begun for says more than that it goes on.
      return noted.epoch === this.#chosen?.epoch ? this.#chosen : noted;
    }
    this.#chosen ??= this.#choice.fromState() ?? this.#choice.begin(active);
    this.#chosen = this.#choice.atPresent(this.#chosen, active);
    return this.#chosen;
  }

  /** What has been loaded so far: what only the given state knows of, then the transcript in order. */
  #loaded(folded: Folded): Entry[] {
    const { toolbox } = this.#layer;
    const { registry } = toolbox;
    const told = new Set(folded.loaded.flatMap((loaded) => findLoaded(registry, loaded) ?? []));
    const earlier = expandedEntries(this.#options.state?.expandedGroups ?? {}, registry);
    const entries = [...earlier.filter((entry) => !told.has(entry)), ...told];
    return entries.filter(toolbox.visibleTo(this.#view));
  }
}

/** What is left of a view by the globs of one session. */
function narrowed(view: View, { only, without }: SessionOptions): View {
  const within = only ? intersect(view, viewOfGlobs(only)) : view;
  return without && without.length > 0 ? except(within, without) : within;
}

/** Whether a view has tools, as far as that is known before groups load. */
function hasAny(toolbox: Toolbox, view: View): boolean {
  if ([...toolbox.registry.entries()].some(toolbox.visibleTo(view))) return true;
  return [...toolbox.registry.groups.values()].some((group) => toolbox.groupVisibleTo(view, group));
}
