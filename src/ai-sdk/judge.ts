import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { readEnvelope } from '../tools/envelope.ts';
import { isRecord, type JsonObject } from '../tools/json.ts';
import type { BridgeKind } from '../tools/strategies/strategy.ts';
import type { Route, Turn } from '../tools/turn.ts';
import type { CallMemory } from './call-memory.ts';
import { deniedBy, hooked } from './hooked.ts';
import type { Hooks } from './hooks.ts';
import { readInput } from './stamp.ts';
import {
  callAgain,
  namesTwoTools,
  notOffered,
  type Told,
  textOf,
  toldInvalid,
  toldUnjudged,
} from './told.ts';

export interface JudgeOptions {
  readonly turn: Turn;
  readonly signal: AbortSignal | undefined;
  /** Names the SDK was given for this step: a call of any other would be answered by its own error. */
  readonly offered: ReadonlySet<string>;
  /** Whether a name is one of Toolfold's own, offered in this step or not. */
  readonly isKnown: (name: string) => boolean;
  /** Has the SDK know the tools that have become known, from its next step on. */
  readonly extend: () => void;
  /** The bridge tool's own input, where the provider wraps it. */
  readonly bridgeInput?: ((name: string, input: string) => string) | undefined;
  /** Whether the SDK would run the tool with any input at all. */
  readonly isUnchecked: (name: string) => boolean;
  /** The tool of the SDK's set that answers for what the set has no tool for. */
  readonly executor: string;
  readonly memory: CallMemory;
  readonly hooks: Hooks;
}

/** The key under which a dispatcher's input names its target; undefined for any other tool. */
export function nameKeyOf(turn: Turn, wireName: string): string | undefined {
  const kind = turn.bridgeKind(wireName);
  return kind === 'deferred_tool_call' ? 'tool_name' : kind === 'tool_call' ? 'name' : undefined;
}

/** Decides what the SDK is told of each call of one response. */
export class Judge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** `announced` is the name the call's stream already began under. */
  async tell(
    call: LanguageModelV4ToolCall,
    isFirst: boolean,
    announced: string | undefined,
  ): Promise<Told> {
    const { turn, signal, executor } = this.#options;
    const { toolCallId: id } = call;
    const { name, input } = this.#resolved(call);
    const kind = turn.bridgeKind(name);
    if (kind !== undefined && nameKeyOf(turn, name) === undefined)
      return this.#tellBridge(call, kind);
    const inactive = this.#inactiveTarget(name, input);
    const asked = { id, name, input: readInput(input) };
    if (inactive !== undefined) {
      const route = notOffered(inactive);
      turn.report(asked, route);
      return toldInvalid(executor, input, route);
    }
    const unjudged = isFirst ? undefined : this.#tellUnjudged(name, input, announced);
    if (unjudged) {
      const { toolName, input: given } = unjudged;
      this.#options.memory.keepUnjudged({ id, name: toolName, input: readInput(given) });
      return { ...unjudged, isUnjudged: true };
    }
    const judged = this.#permit(await turn.decide(asked, signal ? { signal } : {}), announced);
    const route = await hooked(judged, id, this.#options);
    if (route.kind === 'run')
      return { toolName: route.tool.name, input: JSON.stringify(route.input) };
    turn.report(asked, route);
    return this.#tellRefusal(route, name, input, announced);
  }

  /** Tools the app added beside the fold, and provider tools it runs itself: only its hooks have a say. */
  async tellForeign({
    toolCallId: id,
    toolName: name,
    input,
  }: LanguageModelV4ToolCall): Promise<Told> {
    const { hooks, memory, turn } = this.#options;
    const given = readInput(input);
    if (!hooks.judges || !isRecord(given)) return { toolName: name, input };
    const call = { id, name, arguments: given as JsonObject };
    const { deny, ask, arguments: changed } = await hooks.before(call);
    if (deny !== undefined) {
      const route = deniedBy(name, deny);
      turn.report({ id, name, input: given }, route);
      return toldInvalid(name, input, route);
    }
    if (ask === true) memory.ask({ id, name, input: changed ?? given });
    return { toolName: name, input: changed === undefined ? input : JSON.stringify(changed) };
  }

  /** The call as a hook reads it, where nothing has the name it uses. */
  #resolved({ toolName: name, input }: LanguageModelV4ToolCall): { name: string; input: string } {
    const { turn, hooks } = this.#options;
    const key = nameKeyOf(turn, name);
    const target = key === undefined ? name : readEnvelope(input, key).target;
    if (target === undefined || turn.lookUp(target) || turn.bridgeKind(target) !== undefined)
      return { name, input };
    const meant = hooks.resolve(target);
    if (meant === undefined) return { name, input };
    if (key === undefined) return { name: meant, input };
    const envelope = readInput(input);
    return isRecord(envelope)
      ? { name, input: JSON.stringify({ ...envelope, [key]: meant }) }
      : { name, input };
  }

  /** Bridge tools run like others; only input that is no object is answered at once. */
  async #tellBridge(call: LanguageModelV4ToolCall, kind: BridgeKind): Promise<Told> {
    const { turn, offered, bridgeInput } = this.#options;
    const { toolCallId: id, toolName: wireName } = call;
    const input = bridgeInput?.(wireName, call.input) ?? call.input;
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
    const key = nameKeyOf(turn, wireName);
    const envelope = key === undefined ? undefined : readEnvelope(input, key);
    if (envelope?.problem !== undefined) return;
    const entry = turn.lookUp(envelope?.target ?? wireName);
    if (!entry)
      return announced === undefined ? toldUnjudged(executor, wireName, input, key) : undefined;
    if (turn.isReady(entry) || !offered.has(entry.name)) return;
    if (announced !== undefined && announced !== entry.name) return;
    if (!envelope) return { toolName: entry.name, input };
    const { given, beside } = envelope;
    // What could be read in two ways needs the schema now.
    if (given.kind === 'unusable' || Object.keys(beside).length > 0) return;
    return {
      toolName: entry.name,
      input: given.kind === 'object' ? JSON.stringify(given.value) : '{}',
    };
  }

  /** A tool the call is meant for that the app left out of this step: not even its schema is told. */
  #inactiveTarget(wireName: string, input: string): string | undefined {
    const { turn, offered, isKnown } = this.#options;
    const key = nameKeyOf(turn, wireName);
    const name = key === undefined ? wireName : readEnvelope(input, key).target;
    const entry = name === undefined ? undefined : turn.lookUp(name);
    return entry && isKnown(entry.name) && !offered.has(entry.name) ? entry.name : undefined;
  }

  /** What the SDK could not run in this step, or has begun under another name, is refused. */
  #permit(route: Route, announced: string | undefined): Route {
    if (route.kind !== 'run') return route;
    const { offered, isKnown, extend } = this.#options;
    const { name } = route.tool;
    if (announced !== undefined && announced !== name) return namesTwoTools(announced);
    if (offered.has(name)) return route;
    if (isKnown(name)) return notOffered(name);
    extend();
    return callAgain(name);
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
}
