import { ToolfoldError } from '../../errors.ts';
import { everything, intersect, type View, viewOf } from '../access/index.ts';
import { type Route, type RouteOptions, type Scope, Turn } from '../calls/index.ts';
import { listed } from '../catalog/index.ts';
import {
  type Chosen,
  EpochChoice,
  expandedEntries,
  expandedState,
  findLoaded,
  freeze,
  type LayerContext,
  loadedRanks,
  type ToolState,
  unlistedGroup,
} from '../epoch/index.ts';
import { checkSessionOptions, type SessionOptions } from '../options/index.ts';
import {
  type Announcements,
  loadGroups,
  NO_ANNOUNCEMENTS,
  type Presentation,
  presentTurn,
} from '../presentation/index.ts';
import { Bridges, type Strategy, wantedStrategy } from '../strategies/index.ts';
import type { DeferredToolGroup, Entry, Tool } from '../tool/index.ts';
import {
  type Active,
  ALL_ACTIVE,
  activeOf,
  type Conversation,
  type Offer,
  type RecordedResult,
  type TranscriptCall,
  type TranscriptMessage,
  viewOfNote,
} from '../transcript/index.ts';
import { checkChild, narrowed } from './ceiling.ts';
import { type Explanation, explain } from './explain.ts';
import { TranscriptReader } from './transcript-reader.ts';

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
  readonly #reader: TranscriptReader;
  #chosen: Chosen | undefined;
  #turn: Turn | undefined;
  #announcements: Announcements = NO_ANNOUNCEMENTS;

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
    this.#reader = new TranscriptReader(layer.toolbox, [this.#bridges, this.#appendBridges]);
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
    const conversation = this.#reader.read(messages, options.offer, { keep: true });
    const active = this.#active(conversation, options.offer);
    const expected = this.#choice.strategyFor(conversation.epoch);
    await this.#prepareFor(expected, conversation, active, options.signal);
    // Where the bytes of the messages' epoch cannot be had, a new one begins: in another strategy, perhaps.
    const { strategy } = this.#epochOf(conversation, active).epoch;
    if (strategy !== expected)
      await this.#prepareFor(strategy, conversation, active, options.signal);
  }

  async #prepareFor(
    strategy: Strategy,
    conversation: Conversation,
    { note }: Active,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { registry } = this.#layer.toolbox;
    await loadGroups(this.#layer, {
      view: this.#view,
      strategy,
      // Once an epoch's bytes are known, nothing has to load for them.
      append: this.#choice.isKnown(conversation.epoch) ? undefined : this.#choice.formOf(strategy),
      loaded: [
        ...this.#loaded(conversation).map((entry) => entry.groupId),
        ...conversation.expansions.map((e) => e.groupId),
        ...conversation.loaded.map(({ name }) => unlistedGroup(registry, name)),
      ],
      active: viewOfNote(conversation.epoch ? (conversation.epoch.active ?? ALL_ACTIVE) : note),
      signal,
    });
  }

  /** What to send for these messages. Pure over them and over what has loaded; runs no loader. */
  present(messages: readonly TranscriptMessage[] = [], options: TurnOptions = {}): Presentation {
    this.#turn = this.turn(messages, options);
    const { presentation } = this.#turn;
    const { inserts, note } = presentation;
    if (note?.inserts) {
      const { announced = this.#announcements.announced, active = this.#announcements.active } =
        note;
      this.#announcements = { inserts, announced, active };
    }
    return presentation;
  }

  /** Decides a call that came back on the latest `present`. */
  route(call: TranscriptCall, options?: RouteOptions): Promise<Route> {
    this.#turn ??= this.turn([]);
    return this.#turn.route(call, options);
  }

  /**
   * Takes in a call and the result that the model was given, for a host that keeps no messages: what
   * was loaded, what failed. A host that passes messages to `present` must not record what they say.
   */
  record(call: TranscriptCall, result: RecordedResult): void {
    this.#reader.record(call, result);
    this.#turn = undefined;
  }

  /** One request on its own, for hosts that serve several conversations from one session. */
  turn(messages: readonly TranscriptMessage[], { offer }: TurnOptions = {}): Turn {
    const conversation = this.#reader.read(messages, offer);
    const active = this.#active(conversation, offer);
    const { epoch } = this.#epochOf(conversation, active);
    const loaded = this.#loaded(conversation);
    const earlier = this.#options.state?.expandedGroups ?? {};
    const presentation = presentTurn({
      layer: this.#layer,
      view: this.#view,
      active,
      bridges: this.#bridgesOf(epoch.strategy),
      choice: this.#choice,
      epoch,
      conversation,
      messages,
      loaded,
      announcements: this.#announcements,
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
      conversation,
      loadedRanks: (groupId) => loadedRanks(earlier, conversation, groupId),
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
    const conversation = this.#reader.read([], undefined);
    this.#epochOf(conversation, this.#active(conversation));
    this.#choice.list();
    this.#layer.toolbox.update(groups);
  }

  /** Plain JSON; resumes the epoch in another process even where the tools have changed since. */
  state(): ToolState {
    const { epoch, conversation, presentation } = this.#turn ?? this.turn([]);
    const appended = this.#layer.definitions.keysOf(presentation.deliveries);
    const insteadOf = this.#choice.insteadOf(epoch);
    return {
      strategy: epoch.strategy.name,
      fingerprint: epoch.fingerprint,
      ...(insteadOf === undefined ? {} : { insteadOf }),
      expandedGroups: expandedState(
        this.#options.state?.expandedGroups ?? {},
        conversation,
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
    fork.#announcements = this.#announcements;
    fork.#reader.copyFrom(this.#reader);
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
      checkChild(this.#layer, options.role, narrowed(role, options), narrowed(view, options));
    return new Session(this.#layer, view, { ...inherited, ...options });
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
    const { reason } = this.#epochOf(turn.conversation, this.#active(turn.conversation));
    return explain(this.#layer, this.#view, turn, reason);
  }

  #bridgesOf({ delivers }: Strategy): Bridges {
    return delivers === 'append' ? this.#appendBridges : this.#bridges;
  }

  /** What the host offers; where it does not say, what the messages last said of it. */
  #active(conversation: Conversation, offer?: TurnOptions['offer']): Active {
    if (offer && offer !== 'all')
      return activeOf(offer, this.#layer.toolbox, this.#view, this.#appendBridges);
    const active = conversation.active ?? this.#announcements.active ?? ALL_ACTIVE;
    const note = offer === 'all' ? ALL_ACTIVE : active;
    return { view: viewOfNote(note), note, beside: [] };
  }

  /** The messages' own epoch; else the one this session began or resumed. */
  #epochOf(conversation: Conversation, { note: active }: Active): Chosen {
    if (conversation.epoch) {
      const noted = this.#choice.fromNote(conversation.epoch, active);
      // Begun here: the reason it was begun for says more than that it goes on.
      return noted.epoch === this.#chosen?.epoch ? this.#chosen : noted;
    }
    this.#chosen ??= this.#choice.fromState() ?? this.#choice.begin(active);
    this.#chosen = this.#choice.atPresent(this.#chosen, active);
    return this.#chosen;
  }

  /** What has been loaded so far: what only the given state knows of, then the transcript in order. */
  #loaded(conversation: Conversation): Entry[] {
    const { toolbox } = this.#layer;
    const { registry } = toolbox;
    const inTranscript = new Set(
      conversation.loaded.flatMap((loaded) => findLoaded(registry, loaded) ?? []),
    );
    const earlier = expandedEntries(this.#options.state?.expandedGroups ?? {}, registry);
    const entries = [...earlier.filter((entry) => !inTranscript.has(entry)), ...inTranscript];
    return entries.filter(toolbox.visibleTo(this.#view));
  }
}
