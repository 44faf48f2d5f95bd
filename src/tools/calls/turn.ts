import type { Epoch } from '../epoch/index.ts';
import type { Presentation } from '../presentation/index.ts';
import type { ResolvedTool } from '../registry/index.ts';
import { type BridgeKind, isDispatcher } from '../strategies/index.ts';
import type { Entry, ToolDefinition } from '../tool/index.ts';
import {
  type CallEvent,
  type Conversation,
  callSignature,
  type TranscriptCall,
} from '../transcript/index.ts';
import type { JsonObject } from '../values/index.ts';
import { callDirectly, callThrough, type Outcome } from './call.ts';
import { describeTools } from './describe.ts';
import { readObject } from './envelope.ts';
import { loadTools } from './load.ts';
import { type ReadCall, readCall } from './read-call.ts';
import { malformedInput, repeated } from './refusals.ts';
import { requestTool } from './request.ts';
import type { Answer, Scope } from './scope.ts';
import { searchTools } from './search.ts';
import { findTarget, groupsThatMayHave } from './target.ts';

/** What a call comes to: run this tool with these arguments, or answer this. */
export type Route =
  | {
      readonly kind: 'run';
      readonly tool: ResolvedTool;
      /** As the tool's schema reads them: a Standard Schema may have changed them. */
      readonly arguments: unknown;
      /** As the model meant them. */
      readonly input: JsonObject;
      /** Whether the model called the tool itself or through a bridge tool. */
      readonly via: 'native' | 'bridge';
    }
  | {
      readonly kind: 'answer';
      readonly result: JsonObject;
      readonly isError: boolean;
      /** The tool the call was meant for, where that is known. */
      readonly target?: string;
      /** The arguments the model meant, where only the tool's schema objects to them. */
      readonly input?: JsonObject;
      /** What was thrown, where that is why: for the host, never for the model. */
      readonly cause?: unknown;
    };

export interface RouteOptions {
  readonly signal?: AbortSignal;
}

/** One request and the calls that come back on it. Holds no state that the transcript lacks. */
export class Turn {
  readonly epoch: Epoch;
  readonly presentation: Presentation;
  readonly conversation: Conversation;
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
    this.conversation = scope.conversation;
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

  /** Those of them that a search finds, best first. */
  hits(query: string, limit: number): { readonly entry: Entry; readonly score: number }[] {
    const { toolbox, view, isDeclared } = this.#scope;
    const visible = toolbox.visibleTo(view);
    return toolbox.hits(query, limit, (entry) => visible(entry) && !isDeclared(entry));
  }

  /** Whether the conversation has shown the tool's schema already. */
  hasShown(name: string): boolean {
    const { firstShown, preloaded } = this.conversation;
    const appended = this.presentation.deliveries.some(({ tools }) =>
      tools.some((tool) => tool.name === name),
    );
    return appended || firstShown.has(name) || preloaded.has(name);
  }

  /** A tool's definition, where no loader has to run for it. */
  definitionOf(entry: Entry): ToolDefinition | undefined {
    const { toolbox } = this.#scope;
    const tool = toolbox.toolOf(entry);
    return tool && toolbox.definitionOf(entry, tool);
  }

  /** A tool's definition, loaded if need be; undefined where the view has no such tool to offer. */
  async define(name: string, options: RouteOptions = {}): Promise<ToolDefinition | undefined> {
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
   * Decides what becomes of a call. Never throws for what the model did; rejects only when the
   * signal fires, with its reason.
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
    const outcome = await this.#decide(read, signal);
    if (outcome.kind === 'run')
      return { ...outcome, via: read.kind === undefined ? 'native' : 'bridge' };
    const { answer, ...about } = outcome;
    return { ...about, ...(answer.isError && attempt > 1 ? repeated(answer, attempt) : answer) };
  }

  /** The one event of a call. */
  report(call: TranscriptCall, route: Route): void {
    this.#onCall(callEvent(call, route));
  }

  async #decide(call: ReadCall, signal: AbortSignal | undefined): Promise<Outcome> {
    const { name, input, kind, envelope } = call;
    const scope = this.#scope;
    if (envelope !== undefined && kind === undefined)
      return callDirectly(scope, name, envelope, signal);
    if (envelope !== undefined) return callThrough(scope, name, envelope, signal);
    const answered = (answer: Answer): Outcome => ({ kind: 'answer', answer });
    const read = readObject(input);
    if (read.kind === 'unusable') return answered(malformedInput(name, read.problem));
    switch (kind) {
      case 'load_tools':
        return answered(await loadTools(scope, input, signal));
      case 'tool_search':
        return answered(await searchTools(scope, input, signal));
      case 'tool_describe':
        return answered(await describeTools(scope, input, signal));
      case 'request_tool':
        return answered(await requestTool(scope, input, signal));
      default:
        throw new TypeError(`${name} was not read as a call.`);
    }
  }

  /** The how many-th try of this very call it is, since it last went well. */
  #attempt({ id, name, input }: TranscriptCall): number {
    const signature = callSignature(name, input);
    const ids = this.#attempts.get(signature) ?? new Set();
    this.#attempts.set(signature, ids.add(id));
    return (this.conversation.failures.get(signature) ?? 0) + [...ids].indexOf(id) + 1;
  }
}

/** The event of a call by the name the model used, and of what became of it. */
export function callEvent({ id, name: wireName }: TranscriptCall, route: Route): CallEvent {
  if (route.kind === 'run') return { id, name: route.tool.name, wireName, outcome: 'run' };
  const { result, isError, target: name = wireName, cause } = route;
  if (!isError) return { id, name, wireName, outcome: 'answered' };
  const error = String(result.error);
  const why = cause === undefined ? {} : { cause };
  return { id, name, wireName, outcome: 'refused', error, ...why };
}
