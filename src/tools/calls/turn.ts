import type { Epoch } from '../epoch/index.ts';
import type { Presentation } from '../presentation/index.ts';
import type { Hit } from '../registry/index.ts';
import { type BridgeKind, isDispatcher } from '../strategies/index.ts';
import type { Entry, ToolDefinition } from '../tool/index.ts';
import {
  type CallEvent,
  callSignature,
  type Folded,
  type TranscriptCall,
} from '../transcript/index.ts';
import { onDemand } from '../values/index.ts';
import { type ReadCall, readCall } from './envelope.ts';
import { callEvent, type Route, type RouteOptions } from './route.ts';
import { groupsThatMayHave, type Scope } from './scope.ts';

/** What answers calls: no request needs it before the first of them. */
const deciding = onDemand(() => import('./decide.ts'));

/** One request and the calls that come back on it. Holds no state that the transcript lacks. */
export class Turn {
  readonly epoch: Epoch;
  readonly presentation: Presentation;
  readonly folded: Folded;
  readonly #scope: Scope;
  readonly #onCall: (event: CallEvent) => void;
  /** Ids of the calls of this turn by signature: the same call routed twice is not a repetition. */
  readonly #attempts = new Map<string, Set<string>>();

  constructor(
    epoch: Epoch,
    presentation: Presentation,
    scope: Scope,
    onCall: (event: CallEvent) => void,
  ) {
    this.epoch = epoch;
    this.presentation = presentation;
    this.folded = scope.folded;
    this.#scope = scope;
    this.#onCall = onCall;
  }

  /** The bridge a wire name stands for in this turn, unless a real tool has that name. */
  bridgeKind(name: string): BridgeKind | undefined {
    return this.#scope.toolbox.registry.get(name) ? undefined : this.#scope.bridges.kind(name);
  }

  /** The name a bridge has for this model. */
  bridgeName(kind: BridgeKind): string {
    return this.#scope.bridges.name(kind);
  }

  /** The tool a name means to the role, active in this request or not, without loading anything. */
  lookUp(name: string): Entry | undefined {
    const { toolbox, role } = this.#scope;
    const resolution = toolbox.registry.resolve(name, toolbox.visibleTo(role));
    return resolution.kind === 'found' ? resolution.entry : undefined;
  }

  /** Whether the host offers the tool in this request. */
  isActive(entry: Entry): boolean {
    return this.#scope.view.allows(entry);
  }

  /** The declared bridge tool that calls others, if there is one. */
  dispatcher(): string | undefined {
    const { bridges } = this.#scope;
    return this.epoch.bridges.find(({ name }) => isDispatcher(bridges.kind(name)))?.name;
  }

  /** Active tools that are not declared, as far as they are known. */
  findable(): Entry[] {
    const { toolbox, view, isDeclared } = this.#scope;
    const visible = toolbox.visibleTo(view);
    return [...toolbox.registry.entries()].filter((entry) => visible(entry) && !isDeclared(entry));
  }

  /** What searches them, best first, at once and as often as one likes. */
  async finder(signal?: AbortSignal): Promise<(query: string, limit: number) => readonly Hit[]> {
    const { toolbox, view, isDeclared } = this.#scope;
    const find = await toolbox.finder(signal);
    return (query, limit) => {
      const visible = toolbox.visibleTo(view);
      return find(query, limit, (entry) => visible(entry) && !isDeclared(entry));
    };
  }

  /** Whether the conversation has shown the tool's schema already. */
  hasShown(name: string): boolean {
    const { served, handed } = this.folded;
    const appended = this.presentation.deliveries.some(({ tools }) =>
      tools.some((tool) => tool.name === name),
    );
    return appended || served.has(name) || handed.has(name);
  }

  /** A tool's definition, where no loader has to run for it. */
  definitionOf(entry: Entry): ToolDefinition | undefined {
    const { toolbox } = this.#scope;
    const tool = toolbox.toolOf(entry);
    return tool && toolbox.definitionOf(entry, tool);
  }

  /** A tool's definition, loaded if need be; undefined where the view has no such tool to offer. */
  async define(name: string, options: RouteOptions = {}): Promise<ToolDefinition | undefined> {
    const { findTarget } = await deciding(options.signal);
    const target = await findTarget(this.#scope, name, options.signal);
    return target.ok ? this.#scope.toolbox.definitionOf(target.entry, target.tool) : undefined;
  }

  /** Starts loading the tool's group, so that routing the call need not wait; failures come then. */
  warm(entry: Entry, signal?: AbortSignal): void {
    if (entry.groupId !== undefined)
      this.#scope.toolbox.load(entry.groupId, signal).catch(() => {});
  }

  /** Waits for the groups of these tools to load, each for itself; what fails is told when it is called. */
  async load(entries: readonly Entry[], signal?: AbortSignal): Promise<void> {
    const { toolbox } = this.#scope;
    const groups = new Set(
      entries.filter((entry) => !this.isReady(entry)).flatMap(({ groupId }) => groupId ?? []),
    );
    await Promise.allSettled([...groups].map((groupId) => toolbox.load(groupId, signal)));
  }

  /** Whether a group that has not loaded may turn out to have a tool of this name. */
  mayAppear(name: string): boolean {
    return !this.#scope.wasRemoved(name) && groupsThatMayHave(this.#scope, name).length > 0;
  }

  /** Whether routing a call of the tool needs no loader. */
  isReady(entry: Entry): boolean {
    return this.#scope.toolbox.toolOf(entry) !== undefined;
  }

  /**
   * Decides what becomes of a call. Never throws for what the model did; rejects when the signal
   * fires, with its reason, and where code of Toolfold's own cannot be loaded: nothing runs then.
   */
  async route(call: TranscriptCall, options: RouteOptions = {}): Promise<Route> {
    const route = await this.decide(call, options);
    this.report(call, route);
    return route;
  }

  /** Reads a call's input, for hosts that look at it before they decide. */
  read(call: TranscriptCall): ReadCall {
    return readCall(call, this.bridgeKind(call.name));
  }

  /** `route` without its event, for hosts that decide before they run. */
  async decide(call: TranscriptCall | ReadCall, options: RouteOptions = {}): Promise<Route> {
    const { signal } = options;
    signal?.throwIfAborted();
    const read = 'envelope' in call ? call : this.read(call);
    const attempt = this.#attempt(read);
    const { decideCall } = await deciding(signal);
    return decideCall(this.#scope, read, attempt, signal);
  }

  /** The one event of a call. */
  report(call: TranscriptCall, route: Route): void {
    this.#onCall(callEvent(call, route));
  }

  /** The how many-th try of this very call it is, since it last went well. */
  #attempt({ id, name, input }: TranscriptCall): number {
    const signature = callSignature(name, input);
    const ids = this.#attempts.get(signature) ?? new Set();
    this.#attempts.set(signature, ids.add(id));
    return (this.folded.failures.get(signature) ?? 0) + [...ids].indexOf(id) + 1;
  }
}
