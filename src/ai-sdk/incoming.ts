import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { readEnvelope } from '../tools/envelope.ts';
import { isRecord } from '../tools/json.ts';
import type { BridgeKind } from '../tools/strategies/strategy.ts';
import type { Route, Turn } from '../tools/turn.ts';
import type { CallMemory } from './call-memory.ts';
import { readInput, withStamp } from './stamp.ts';
import { namesTwoTools, notOffered, type Told, textOf, toldExecutor, toldInvalid, toldUnjudged } from './told.ts';

export interface IncomingOptions {
  readonly turn: Turn;
  readonly signal: AbortSignal | undefined;
  /** Names the SDK was given for this step: a call of any other would be answered by its own error. */
  readonly offered: ReadonlySet<string>;
  /** Whether a name is one of Toolfold's own, offered in this step or not. */
  readonly isKnown: (name: string) => boolean;
  /** Whether the SDK would run the tool with any input at all. */
  readonly isUnchecked: (name: string) => boolean;
  /** The tool of the SDK's set that runs what the set has no tool for. */
  readonly executor: string;
  readonly memory: CallMemory;
}

/** Turns the calls of one response into calls of the real tools, in order. */
export class Incoming {
  readonly #options: IncomingOptions;
  /** Calls of this response so far. */
  #seen = 0;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  /** The name key of a dispatcher, for a stream to look for. */
  nameKey(wireName: string): string | undefined {
    const kind = this.#options.turn.bridgeKind(wireName);
    return kind === 'deferred_tool_call' ? 'tool_name' : kind === 'tool_call' ? 'name' : undefined;
  }

  /** The name under which a call can be announced before its arguments are known. */
  announce(name: string, isFirst: boolean): string | undefined {
    const { turn, offered, signal } = this.#options;
    const entry = turn.lookUp(name);
    if (!entry || !offered.has(entry.name)) return;
    // A loader must not run ahead of an earlier call.
    if (isFirst && !turn.isReady(entry)) turn.warm(entry, signal);
    return entry.name;
  }

  /** Under what name a call that is no envelope streams; undefined where only its end can tell. */
  streamName(wireName: string, isFirst: boolean): string | undefined {
    const { turn, offered } = this.#options;
    if (this.#isForeign(wireName) || this.#passes(wireName)) return wireName;
    const kind = turn.bridgeKind(wireName);
    if (kind === undefined) return this.announce(wireName, isFirst);
    const name = turn.bridgeName(kind);
    return offered.has(name) ? name : undefined;
  }

  /** The call the SDK sees. `announced` is the name its stream already began under. */
  async rewrite(call: LanguageModelV4ToolCall, announced?: string): Promise<LanguageModelV4ToolCall> {
    if (call.providerExecuted || this.#passes(call.toolName)) return call;
    const { toolCallId, toolName: wireName, input: raw } = call;
    const { toolName, input, error } = await this.#tell(call, announced);
    this.#options.memory.keepWireName(toolCallId, wireName);
    const stamp = { n: wireName, r: raw, o: this.#seen++, ...(error === undefined ? {} : { e: error }) };
    return { ...call, toolName, input, providerMetadata: withStamp(call.providerMetadata, stamp) };
  }

  async #tell(call: LanguageModelV4ToolCall, announced: string | undefined): Promise<Told> {
    const { turn, signal, executor } = this.#options;
    const { toolCallId: id, toolName: name, input } = call;
    if (this.#isForeign(name)) return { toolName: name, input };
    const kind = turn.bridgeKind(name);
    if (kind !== undefined && this.nameKey(name) === undefined) return this.#tellBridge(call, kind);
    const inactive = this.#inactiveTarget(name, input);
    const asked = { id, name, input: readInput(input) };
    if (inactive !== undefined) {
      const route = notOffered(inactive);
      turn.report(asked, route);
      return toldInvalid(executor, input, route);
    }
    const unjudged = this.#seen === 0 ? undefined : this.#tellUnjudged(name, input, announced);
    if (unjudged) return unjudged;
    const route = this.#permit(await turn.decide(asked, signal ? { signal } : {}), announced);
    if (route.kind === 'run') return this.#tellRun(route);
    turn.report(asked, route);
    return this.#tellRefusal(route, name, input, announced);
  }

  /** Bridge tools run like others; only input that is no object is answered at once. */
  async #tellBridge(call: LanguageModelV4ToolCall, kind: BridgeKind): Promise<Told> {
    const { turn, offered } = this.#options;
    const { toolCallId: id, toolName: wireName, input } = call;
    const name = turn.bridgeName(kind);
    const isReadable = input.trim() === '' || isRecord(readInput(input));
    if (offered.has(name) && isReadable) return { toolName: name, input };
    const asked = { id, name: wireName, input: readInput(input) };
    const route = offered.has(name) ? await turn.decide(asked) : notOffered(wireName);
    if (route.kind === 'run') return { toolName: name, input };
    turn.report(asked, route);
    return toldInvalid(name, input, route);
  }

  /**
   * A call behind another one whose group has not loaded is judged when it runs: its loader must not
   * run ahead of the earlier call. Names nobody knows yet go to the executor.
   */
  #tellUnjudged(wireName: string, input: string, announced: string | undefined): Told | undefined {
    const { turn, offered, executor } = this.#options;
    const key = this.nameKey(wireName);
    const envelope = key === undefined ? undefined : readEnvelope(input, key);
    if (envelope?.problem !== undefined) return;
    const entry = turn.lookUp(envelope?.target ?? wireName);
    if (!entry) return announced === undefined ? toldUnjudged(executor, wireName, input, key) : undefined;
    if (turn.isReady(entry) || !offered.has(entry.name)) return;
    if (!envelope) return { toolName: entry.name, input };
    const { given, beside } = envelope;
    // What could be read in two ways needs the schema now.
    if (given.kind === 'unusable' || Object.keys(beside).length > 0) return;
    return { toolName: entry.name, input: given.kind === 'object' ? JSON.stringify(given.value) : '{}' };
  }

  /** A tool the call is meant for that the app left out of this step: not even its schema is told. */
  #inactiveTarget(wireName: string, input: string): string | undefined {
    const { turn, offered, isKnown } = this.#options;
    const key = this.nameKey(wireName);
    const name = key === undefined ? wireName : readEnvelope(input, key).target;
    const entry = name === undefined ? undefined : turn.lookUp(name);
    return entry && isKnown(entry.name) && !offered.has(entry.name) ? entry.name : undefined;
  }

  /** What the SDK could not run in this step, or has begun under another name, is refused. */
  #permit(route: Route, announced: string | undefined): Route {
    if (route.kind !== 'run') return route;
    const { offered, isKnown } = this.#options;
    const { name } = route.tool;
    if (announced !== undefined && announced !== name) return namesTwoTools(announced);
    return offered.has(name) || !isKnown(name) ? route : notOffered(name);
  }

  #tellRun(route: Extract<Route, { kind: 'run' }>): Told {
    const { offered, executor } = this.#options;
    const { name } = route.tool;
    if (!offered.has(name)) return toldExecutor(executor, name, route.input);
    return { toolName: name, input: JSON.stringify(route.input) };
  }

  #tellRefusal(
    route: Extract<Route, { kind: 'answer' }>,
    wireName: string,
    input: string,
    announced: string | undefined,
  ): Told {
    const { turn, offered, executor, memory, isUnchecked } = this.#options;
    const entry = turn.lookUp(announced ?? route.target ?? wireName);
    const target = announced ?? (entry && offered.has(entry.name) ? entry.name : undefined);
    if (route.input === undefined || target === undefined || isUnchecked(target)) {
      return toldInvalid(target ?? executor, input, route);
    }
    // The SDK's own validator, or the placeholder's, refuses this input too; the app may repair it.
    const meant = JSON.stringify(route.input);
    if (entry?.groupId !== undefined) memory.refuse(target, meant, textOf(route));
    return { toolName: target, input: meant, error: textOf(route) };
  }

  /** Where nothing is deferred the SDK has every tool; only what is none of them is answered here. */
  #passes(name: string): boolean {
    const { turn, offered } = this.#options;
    return turn.epoch.strategy.defers === 'nothing' && offered.has(name) && turn.bridgeKind(name) === undefined;
  }

  /** Tools the app added beside Toolfold's are none of its business. */
  #isForeign(name: string): boolean {
    return this.#options.offered.has(name) && !this.#options.isKnown(name);
  }
}
