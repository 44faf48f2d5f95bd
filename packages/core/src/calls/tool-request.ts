import type { Hit } from '../registry/index.ts';
import type { Chosen, Epoch, Presentation } from '../request/index.ts';
import {
  type BridgeKind,
  isDispatcher,
  type ToolDefinition,
  type ToolEntry,
} from '../tool/index.ts';
import {
  type CallEvent,
  callSignature,
  type TranscriptCall,
  type TranscriptSummary,
} from '../transcript/index.ts';
import { onDemand } from '../values/index.ts';
import {
  callEvent,
  type Decided,
  findable,
  groupsThatMayHave,
  type ParsedCall,
  type Route,
  type RouteOptions,
  readCall,
  type Scope,
  unlistedGroups,
} from './route.ts';

/** The code that answers calls. It is loaded with the first call. */
const deciding = onDemand(() => import('./call.ts'));

/** One request and the calls that answer it. Everything it knows follows from the transcript. */
export class ToolRequest {
  readonly epoch: Epoch;
  /** Why the strategy of the epoch was chosen. */
  readonly reason: string;
  readonly presentation: Presentation;
  readonly conversation: TranscriptSummary;
  /** Whether the host offers all tools of the role in this request. */
  readonly offersAll: boolean;
  readonly #scope: Scope;
  readonly #onCall: (event: CallEvent) => void;
  /** The ids of this turn's calls by signature: routing one call twice is not a repetition. */
  readonly #attempts = new Map<string, Set<string>>();

  constructor({ epoch, reason }: Chosen, scope: Scope, onCall: (event: CallEvent) => void) {
    this.epoch = epoch;
    this.reason = reason;
    this.presentation = scope.presentation;
    this.conversation = scope.conversation;
    this.offersAll = scope.view === scope.role;
    this.#scope = scope;
    this.#onCall = onCall;
  }

  /** The bridge tool that a wire name means, unless a real tool has this name. */
  bridgeKind(name: string): BridgeKind | undefined {
    const { bridges, toolbox } = this.#scope;
    const kind = bridges.kinds.get(name);
    // No tool has the present name of a bridge tool.
    if (kind === undefined || bridges.names[kind] === name) return kind;
    return toolbox.registry.get(name) ? undefined : kind;
  }

  /** The name of a bridge tool for this model. */
  bridgeName(kind: BridgeKind): string {
    return this.#scope.bridges.names[kind];
  }

  /** The tool that a name means for the role, active or not. Loads nothing. */
  lookUp(name: string): ToolEntry | undefined {
    const { toolbox, role } = this.#scope;
    const resolution = toolbox.registry.resolve(name, toolbox.visibleTo(role));
    return resolution.kind === 'found' ? resolution.entry : undefined;
  }

  /** Why a tool cannot be called, although the role may: the endpoint does not accept its definition. */
  refusalOf(name: string): string | undefined {
    const entry = this.lookUp(name);
    return entry && this.#scope.refusal(entry);
  }

  /** Whether the host offers the tool in this request. */
  isActive(entry: ToolEntry): boolean {
    return this.#scope.view.allows(entry);
  }

  /** The declared bridge tool that calls others, if there is one. */
  dispatcher(): string | undefined {
    const { bridges } = this.#scope;
    return this.epoch.bridges.find(({ name }) => isDispatcher(bridges.kinds.get(name)))?.name;
  }

  /** The known active tools that are not declared. */
  findable(): ToolEntry[] {
    return findable(this.#scope);
  }

  /** Returns a search over them, best hits first. The search itself is synchronous. */
  async finder(signal?: AbortSignal): Promise<(query: string, limit: number) => readonly Hit[]> {
    const { toolbox, view, declared } = this.#scope;
    const find = await toolbox.finder(signal);
    return (query, limit) => find(query, limit, view, declared);
  }

  /** Whether the conversation has the tool's schema as a result or appended. */
  hasShown(name: string): boolean {
    const { deliveries } = this.presentation;
    const shown = [...deliveries.flatMap(({ tools }) => tools), ...this.conversation.shownSchemas];
    return shown.some((schema) => schema.name === name);
  }

  /** The tool's definition, if it is known without loading. */
  definitionOf(entry: ToolEntry): ToolDefinition | undefined {
    const { toolbox } = this.#scope;
    const tool = toolbox.toolOf(entry);
    return tool && toolbox.definitionOf(entry, tool);
  }

  /** The tool's definition; loads the tool if necessary. Undefined if the view has no such tool. */
  async define(name: string, options: RouteOptions = {}): Promise<ToolDefinition | undefined> {
    const { findTarget } = await deciding(options.signal);
    const target = await findTarget(this.#scope, name, options.signal);
    return target.kind === 'found' ? this.definitionOf(target.entry) : undefined;
  }

  /** Starts to load the tool's group, so that a later `route` need not wait. `route` reports failures. */
  warm(entry: ToolEntry, signal?: AbortSignal): void {
    if (entry.groupId !== undefined)
      this.#scope.toolbox.load(entry.groupId, signal).catch(() => {});
  }

  /** Waits for the groups of these tools. The error of a group is reported when its tool is called. */
  async load(entries: readonly ToolEntry[], signal?: AbortSignal): Promise<void> {
    const { toolbox } = this.#scope;
    const waiting = entries.filter((entry) => !this.isReady(entry));
    const groups = new Set(waiting.flatMap(({ groupId }) => groupId ?? []));
    await Promise.allSettled([...groups].map((groupId) => toolbox.load(groupId, signal)));
  }

  /** Whether a group that has not loaded may have a tool of this name. */
  mayAppear(name: string): boolean {
    return !this.#scope.wasRemoved(name) && groupsThatMayHave(this.#scope, name).length > 0;
  }

  /** Whether a group of the view names its tools only when it loads, and has not loaded. */
  mayReveal(): boolean {
    const { toolbox } = this.#scope;
    return unlistedGroups(this.#scope).some((groupId) => !toolbox.isLoaded(groupId));
  }

  /** Whether the tool has loaded. */
  isReady(entry: ToolEntry): boolean {
    return this.#scope.toolbox.toolOf(entry) !== undefined;
  }

  /** Decides what to do with a call. Rejects only with the reason of the signal, never for an error of the model. */
  async route(call: TranscriptCall, options: RouteOptions = {}): Promise<Route> {
    const { entry: _, ...route } = await this.decide(call, options);
    this.report(call, route);
    return route;
  }

  /** Reads the input of a call, for a host that inspects it before `decide`. */
  read(call: TranscriptCall): ParsedCall {
    return readCall(call, this.bridgeKind(call.name));
  }

  /** `route` without its event, for a host that decides before it runs the tool. */
  async decide(call: TranscriptCall | ParsedCall, options: RouteOptions = {}): Promise<Decided> {
    options.signal?.throwIfAborted();
    const read = 'envelope' in call ? call : this.read(call);
    const { decideCall } = await deciding(options.signal);
    return decideCall(this.#scope, read, (failed) => this.#attempt(failed), options);
  }

  /** Emits the one event of a call. */
  report(call: TranscriptCall, route: Route): void {
    this.#onCall(callEvent(call, route));
  }

  /** The number of this failed attempt since the same call last succeeded. */
  #attempt({ id, name, input }: TranscriptCall): number {
    const signature = callSignature(name, input);
    const ids = this.#attempts.get(signature) ?? new Set();
    this.#attempts.set(signature, ids.add(id));
    return (this.conversation.failures.get(signature) ?? 0) + [...ids].indexOf(id) + 1;
  }
}
