import { type Route, type RouteOptions, type Scope, ToolRequest } from '../calls/index.ts';
import { everything, intersectViews, type Toolbox, type View, viewOf } from '../registry/index.ts';
import {
  type Announcements,
  type Chosen,
  type Epoch,
  type EpochChoice,
  freeze,
  isListed,
  type LayerContext,
  loadGroups,
  NO_ANNOUNCEMENTS,
  type Presentation,
  presentTurn,
  refusalOf,
  type ToolState,
} from '../request/index.ts';
import type { DeferredToolGroup, Strategy, Tool, ToolEntry } from '../tool/index.ts';
import {
  type Active,
  ALL_ACTIVE,
  activeOf,
  expandedEntries,
  expandedState,
  loadedRanks,
  type Offer,
  type ReadingOptions,
  type RecordedResult,
  type TranscriptCall,
  type TranscriptMessage,
  TranscriptReader,
  type TranscriptSummary,
  unlistedGroup,
  viewOfNote,
} from '../transcript/index.ts';
import { deferredTokens, type Explanation, explain } from './explain.ts';
import type { SessionOptions } from './options.ts';
import {
  bridgesOf,
  checkChild,
  narrowedView,
  type SessionScope,
  scopeOf,
} from './session-scope.ts';

interface OfferOptions {
  /**
   * The tools that the host offers in this request. Absent: those that the messages last
   * mentioned. `all`: the call was allowed already, and only the role is checked.
   */
  readonly offer?: Offer | 'all' | undefined;
}

/** The names of tools of groups that sessions may use, as of a version of the toolbox. */
const namesOf = new WeakMap<SessionScope, { version: number; names: readonly string[] }>();

/** Tokens of deferred schemas, as of a version of the toolbox. */
const deferredOf = new WeakMap<SessionScope, { version: number; epoch: Epoch; tokens: number }>();

/** The tools of one conversation, as one role and one model see them. */
export class Session {
  /** The tools of the layer. Their version grows whenever names or loaded tools change. */
  readonly tools: Pick<Toolbox, 'version'>;
  readonly #scope: SessionScope;
  readonly #layer: LayerContext;
  readonly #view: View;
  readonly #options: SessionOptions;
  readonly #choice: EpochChoice;
  readonly #reader: TranscriptReader;
  #chosen: Chosen | undefined;
  #turn: ToolRequest | undefined;
  #announcements: Announcements = NO_ANNOUNCEMENTS;

  constructor(scope: SessionScope) {
    const { layer, view, options, meanings, choice } = scope;
    this.tools = layer.toolbox;
    this.#scope = scope;
    this.#layer = layer;
    this.#view = view;
    this.#options = options;
    this.#choice = choice;
    this.#reader = new TranscriptReader(layer.toolbox, meanings);
  }

  /**
   * Loads what the next `present` must declare: every group in `eager`, inline groups, and
   * loaded tools in strategies that declare those. Runs no other loader. If a loader fails,
   * that is a warning and its tools stay deferred. Rejects when the signal fires, and with
   * `invalid-option` if the endpoint refuses a tool that has to be declared.
   * The messages must not change until `present` has read them.
   */
  async prepare(
    messages: readonly TranscriptMessage[] = [],
    options: RouteOptions & OfferOptions & ReadingOptions = {},
  ): Promise<void> {
    const conversation = this.#reader.read(messages, options, true);
    const active = this.#active(conversation, options.offer);
    const expected = this.#choice.strategyFor(conversation.epoch);
    await this.#prepareFor(expected, conversation, active, options.signal);
    // If the bytes of the messages' epoch are not available, a new one begins, perhaps in
    // another strategy.
    const { strategy } = this.#epochOf(conversation, active).epoch;
    if (strategy !== expected)
      await this.#prepareFor(strategy, conversation, active, options.signal);
    const { problem } = this.#epochOf(conversation, active).epoch;
    if (problem) throw problem;
  }

  async #prepareFor(
    strategy: Strategy,
    conversation: TranscriptSummary,
    { note }: Active,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { registry } = this.#layer.toolbox;
    await loadGroups(this.#layer, {
      view: this.#view,
      strategy,
      // Once an epoch's bytes are known, nothing has to load for them.
      append: this.#choice.isKnown(conversation.epoch)
        ? undefined
        : this.#choice.appendFormOf(strategy),
      loaded: [
        ...this.#loaded(conversation).map((entry) => entry.groupId),
        ...conversation.expansions.map((e) => e.groupId),
        ...conversation.loaded.map(({ name }) => unlistedGroup(registry, name)),
      ],
      active: viewOfNote(conversation.epoch ? (conversation.epoch.active ?? ALL_ACTIVE) : note),
      signal,
    });
  }

  /**
   * Returns what to send for these messages. It depends on them and on what has loaded, and
   * runs no loader. Throws `invalid-option`, as `prepare` does.
   */
  present(messages: readonly TranscriptMessage[] = [], options: OfferOptions = {}): Presentation {
    this.#turn = this.turn(messages, options);
    const { presentation, epoch } = this.#turn;
    if (epoch.problem) throw epoch.problem;
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
   * Records a call and the result that the model received, for a host that keeps no messages:
   * loads and failures are remembered. A host that passes messages to `present` must not
   * record what they already say.
   */
  record(call: TranscriptCall, result: RecordedResult): void {
    this.#reader.record(call, result);
    this.#turn = undefined;
  }

  /** One request by itself, for a host that serves several conversations with one session. */
  turn(
    messages: readonly TranscriptMessage[],
    options: OfferOptions & ReadingOptions = {},
  ): ToolRequest {
    this.#layer.ignored.checkGlobs();
    const conversation = this.#reader.read(messages, options);
    const active = this.#active(conversation, options.offer);
    const chosen = this.#epochOf(conversation, active);
    const { epoch } = chosen;
    const loaded = this.#loaded(conversation);
    const earlier = this.#options.state?.expandedGroups ?? {};
    const bridges = bridgesOf(this.#scope, epoch.strategy);
    const presentation = presentTurn({
      layer: this.#layer,
      view: this.#view,
      active,
      bridges,
      choice: this.#choice,
      epoch,
      conversation,
      messages,
      loaded,
      announcements: this.#announcements,
    });
    const declared = new Set(presentation.tools.map((tool) => tool.name));
    const { toolbox, limits, countTokens, onToolsExpanded, lists } = this.#layer;
    const { accepts } = epoch;
    if (accepts)
      this.#layer.ignored.checkDeclared(
        accepts,
        [...epoch.refused, ...presentation.refused],
        presentation.tools,
      );
    const declaresLoaded = epoch.strategy.delivers === 'tools';
    const hasSearch = declared.has(bridges.names.tool_search);
    const scope: Scope = {
      toolbox,
      role: this.#view,
      view: active.view === everything ? this.#view : intersectViews(this.#view, active.view),
      bridges,
      epoch,
      limits,
      countTokens,
      conversation,
      presentation,
      loadedRanks: (groupId) => loadedRanks(earlier, conversation, groupId),
      hasSearch,
      canLoad: hasSearch || declared.has(bridges.names.load_tools),
      wasRemoved: (name) => {
        const gone = (groupId: string) => !toolbox.registry.groups.has(groupId);
        const known = [epoch.list, ...lists.values(this.#choice.scopeId)];
        return known.some((list) => isListed(list, name, gone));
      },
      declared,
      // A call that the host runs was read with the model that made it; in `eager` it may not have been.
      refusal: (entry) =>
        declaresLoaded &&
        (options.offer !== 'all' || epoch.strategy.defers === 'nothing') &&
        !declared.has(entry.name)
          ? refusalOf(toolbox, entry, accepts)
          : undefined,
      room: declaresLoaded ? (accepts?.most ?? Infinity) - presentation.tools.length : Infinity,
      onToolsExpanded,
    };
    return new ToolRequest(chosen, scope, this.#layer.onCall);
  }

  /** Replaces the groups of the whole layer. Every conversation is notified once, at its tail. */
  update(groups: readonly DeferredToolGroup[]): void {
    const conversation = this.#reader.read([]);
    this.#epochOf(conversation, this.#active(conversation));
    this.#choice.currentList();
    this.#layer.toolbox.update(groups);
  }

  /** Plain JSON that resumes the epoch in another process, even if the tools have changed. */
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

  /**
   * A second conversation from the same point, with the same role and bytes. It changes
   * nothing in this one.
   */
  fork(): Session {
    const fork = new Session(this.#scope);
    fork.#chosen = this.#chosen;
    fork.#turn = this.#turn;
    fork.#announcements = this.#announcements;
    fork.#reader.copyFrom(this.#reader);
    return fork;
  }

  /**
   * The session of a subagent: its role within the limits of this session, with its own
   * catalog and prefix. Throws `unknown-role`, and `empty-role` if the role asks for tools and
   * none is allowed.
   */
  child(options: SessionOptions = {}): Session {
    const { state: _, role: __, only: ___, without: ____, ...inherited } = this.#options;
    const { roles } = this.#layer;
    const role = viewOf(roles, options.role);
    const view = options.role === undefined ? this.#view : intersectViews(this.#view, role);
    if (options.role !== undefined)
      checkChild(
        this.#layer,
        options.role,
        narrowedView(role, options),
        narrowedView(view, options),
      );
    return new Session(scopeOf(this.#layer, view, { ...inherited, ...options }));
  }

  /** Whether the role allows a tool that the layer does not know, such as one of the provider. */
  allows(name: string): boolean {
    return this.#view.allows({ name, bare: name, groupId: undefined });
  }

  /** The tool of exactly this name that this view may use, loaded or not. */
  find(name: string): ToolEntry | undefined {
    const { toolbox } = this.#layer;
    const entry = toolbox.registry.get(name);
    return entry && toolbox.visibleTo(this.#view)(entry) ? entry : undefined;
  }

  /** The tool of this name itself, where this view may use it and it is known without loading. */
  loadedTool(name: string): Tool | undefined {
    const entry = this.find(name);
    return entry && this.#layer.toolbox.toolOf(entry);
  }

  /** A short text that identifies the tool's present definition; see `Toolbox.bindingOf`. */
  bindingOf(entry: ToolEntry): string {
    return this.#layer.toolbox.bindingOf(entry);
  }

  /** Whether the tool still has the definition that the binding was made for. */
  isBound(entry: ToolEntry, binding: string): boolean {
    return this.#layer.toolbox.isBound(entry, binding);
  }

  /** The format of a tool's results, if its group names one. */
  resultFormatOf(name: string): DeferredToolGroup['resultFormat'] {
    const { groupId = '' } = this.find(name) ?? {};
    return this.#layer.toolbox.registry.groups.get(groupId)?.group.resultFormat;
  }

  /** Canonical names of all tools of groups that this view may use, as far as they are known. */
  groupToolNames(): readonly string[] {
    const { toolbox } = this.#layer;
    const { version } = toolbox;
    const known = namesOf.get(this.#scope);
    if (known?.version === version) return known.names;
    const visible = toolbox.visibleEntries(this.#view);
    const names = visible.flatMap(({ groupId, name }) => (groupId === undefined ? [] : name));
    namesOf.set(this.#scope, { version, names });
    return names;
  }

  /** The estimated tokens of all schemas that a request could use and does not declare from the start. */
  deferredTokens(turn: ToolRequest): number {
    const { toolbox, countTokens } = this.#layer;
    const { epoch } = turn;
    const { version } = toolbox;
    const known = turn.offersAll ? deferredOf.get(this.#scope) : undefined;
    if (known?.version === version && known.epoch === epoch) return known.tokens;
    const visible = toolbox.visibleEntries(this.#view);
    const tokens = deferredTokens(epoch, toolbox, countTokens, {
      tools: turn.offersAll ? visible : visible.filter((entry) => turn.isActive(entry)),
      group: (groupId) => toolbox.couldShow(this.#view, groupId, ''),
    });
    if (turn.offersAll) deferredOf.set(this.#scope, { version, epoch, tokens });
    return tokens;
  }

  /** Strategy and reason; each tool declared, deferred or hidden, and why; tokens of the latest turn. */
  explain(): Explanation {
    return explain(this.#layer, this.#view, this.#turn ?? this.turn([]));
  }

  #active(conversation: TranscriptSummary, offer?: OfferOptions['offer']): Active {
    const last = conversation.active ?? this.#announcements.active ?? ALL_ACTIVE;
    const { toolbox } = this.#layer;
    return activeOf(offer, last, {
      toolbox,
      view: this.#view,
      bridges: this.#scope.appendBridges,
    });
  }

  /** The epoch of the messages, else the one that this session began or resumed. */
  #epochOf(conversation: TranscriptSummary, { note: active }: Active): Chosen {
    if (conversation.epoch) {
      const noted = this.#choice.fromNote(conversation.epoch, active);
      // The epoch began here: the reason of its beginning is more useful than that it
      // continues.
      return noted.epoch === this.#chosen?.epoch ? this.#chosen : noted;
    }
    this.#chosen ??= this.#choice.fromState() ?? this.#choice.beginEpoch(active);
    this.#chosen = this.#choice.continueOrBegin(this.#chosen, active);
    return this.#chosen;
  }

  /**
   * The loaded tools: those that only the given state knows, then those of the transcript in
   * order.
   */
  #loaded(conversation: TranscriptSummary): ToolEntry[] {
    const { toolbox } = this.#layer;
    const { registry } = toolbox;
    const inTranscript = new Set(
      conversation.loaded.flatMap((loaded) => registry.findLoaded(loaded) ?? []),
    );
    const { expandedGroups } = this.#options.state ?? {};
    const earlier = expandedGroups ? expandedEntries(expandedGroups, registry) : [];
    const entries = [...earlier.filter((entry) => !inTranscript.has(entry)), ...inTranscript];
    return entries.length === 0 ? entries : entries.filter(toolbox.visibleTo(this.#view));
  }
}
