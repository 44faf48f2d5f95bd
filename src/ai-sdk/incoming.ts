import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { readEnvelope } from '../tools/envelope.ts';
import { cut } from '../tools/plain-text.ts';
import type { Entry } from '../tools/registry.ts';
import type { Route, Turn } from '../tools/turn.ts';
import type { BridgeKind } from '../tools/strategies/strategy.ts';
import type { Verdicts } from './verdicts.ts';
import { withStamp } from './stamp.ts';

export interface IncomingOptions {
  readonly turn: Turn;
  readonly signal: AbortSignal | undefined;
  /** Names the SDK was given for this step: a call of any other would be answered by its own error. */
  readonly offered: ReadonlySet<string>;
  /** Whether a name is one of Toolfold's own, offered in this step or not. */
  readonly isKnown: (name: string) => boolean;
  /** The tool of the SDK's set that runs what the set has no tool for. */
  readonly executor: string;
  readonly verdicts: Verdicts;
}

/** What the SDK is told of a call: a tool of its set, an input, and our words should it fail. */
interface Told {
  readonly toolName: string;
  readonly input: string;
  readonly error?: string;
}

/** Turns the calls of one response into calls of the real tools, in order. */
export class Incoming {
  readonly #options: IncomingOptions;
  #isFirst = true;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  /** The name key of a dispatcher, for a stream to look for. */
  nameKey(wireName: string): string | undefined {
    const kind = this.#kind(wireName);
    return kind === 'deferred_tool_call' ? 'tool_name' : kind === 'tool_call' ? 'name' : undefined;
  }

  /** The name under which a call can be announced before its arguments are known. */
  announce(name: string): string | undefined {
    const { turn, offered } = this.#options;
    const entry = turn.lookUp(name);
    if (!entry || !offered.has(entry.name)) return;
    // Only the first call of a response: a loader must not run ahead of an earlier call.
    if (this.#isFirst && !turn.isReady(entry)) turn.warm(entry, this.#options.signal);
    return entry.name;
  }

  /** Under what name a call that is no envelope streams; undefined where only its end can tell. */
  streamName(wireName: string): string | undefined {
    const { turn, offered, isKnown } = this.#options;
    if (offered.has(wireName) && !isKnown(wireName)) return wireName;
    const kind = this.#kind(wireName);
    if (kind !== undefined) {
      const name = turn.bridgeName(kind);
      return offered.has(name) ? name : undefined;
    }
    return this.announce(turn.lookUp(wireName)?.name ?? wireName);
  }

  /** The call the SDK sees. `announced` is the name its stream already began under. */
  async rewrite(call: LanguageModelV4ToolCall, announced?: string): Promise<LanguageModelV4ToolCall> {
    if (call.providerExecuted) return call;
    const told = await this.#tell(call, announced);
    this.#isFirst = false;
    const stamp = { n: call.toolName, r: call.input, ...(told.error === undefined ? {} : { e: told.error }) };
    return {
      ...call,
      toolName: told.toolName,
      input: told.input,
      providerMetadata: withStamp(call.providerMetadata, stamp),
    };
  }

  async #tell(call: LanguageModelV4ToolCall, announced: string | undefined): Promise<Told> {
    const { turn, offered, isKnown, signal } = this.#options;
    const { toolName: wireName, input } = call;
    // Tools the app added beside Toolfold's are none of its business.
    if (offered.has(wireName) && !isKnown(wireName)) return { toolName: wireName, input };
    const kind = this.#kind(wireName);
    if (kind !== undefined && this.nameKey(wireName) === undefined) {
      return this.#tellBridge(call, kind);
    }
    const late = announced === undefined ? this.#later(wireName, input) : this.#later(wireName, input, announced);
    if (late) return late;
    const asked = { id: call.toolCallId, name: wireName, input };
    const route = await turn.decide(asked, signal ? { signal } : {});
    const told = this.#tellRoute(route, wireName, input, announced);
    // What a placeholder or the executor runs is reported there.
    const isOwn = route.kind === 'run' && route.tool.groupId === undefined;
    const isOver = told.error !== undefined && told.toolName !== this.#options.executor;
    if (isOwn || isOver) turn.report(asked, route);
    return told;
  }

  /** Bridge tools run like others; only input that is no object is answered at once. */
  async #tellBridge(call: LanguageModelV4ToolCall, kind: BridgeKind): Promise<Told> {
    const { turn, offered } = this.#options;
    const name = turn.bridgeName(kind);
    const isObject = parses(call.input);
    if (offered.has(name) && isObject) return { toolName: name, input: call.input };
    const asked = { id: call.toolCallId, name: call.toolName, input: call.input };
    const route: Route = offered.has(name) ? await turn.decide(asked) : notOffered(call.toolName);
    turn.report(asked, route);
    return { toolName: name, input: unparsable(call.input), ...errorOf(route) };
  }

  /**
   * A call behind another one whose group has not loaded is judged when it runs: its loader must not
   * run ahead of the earlier call. Names nobody knows yet go to the executor.
   */
  #later(wireName: string, input: string, announced?: string): Told | undefined {
    const { turn, offered, executor } = this.#options;
    if (this.#isFirst) return;
    const key = this.nameKey(wireName);
    const envelope = key === undefined ? undefined : readEnvelope(input, key);
    if (envelope?.problem !== undefined) return;
    const name = envelope?.target ?? wireName;
    const entry = turn.lookUp(name);
    if (entry && turn.isReady(entry)) return;
    const value = envelope ? envelope.given : undefined;
    const isPlain = !envelope || (value?.kind !== 'unusable' && Object.keys(envelope.beside).length === 0);
    if (entry && offered.has(entry.name) && isPlain) {
      const given = value?.kind === 'object' ? JSON.stringify(value.value) : '{}';
      return { toolName: entry.name, input: envelope ? given : input };
    }
    if (entry || announced !== undefined) return;
    return { toolName: executor, input: executorInput(name, envelope ? given(envelope) : input) };
  }

  #tellRoute(route: Route, wireName: string, input: string, announced: string | undefined): Told {
    const { offered, executor, isKnown, verdicts, turn } = this.#options;
    if (route.kind === 'run') {
      const { name } = route.tool;
      if (announced !== undefined && announced !== name) {
        return { toolName: announced, input: unparsable(input), error: 'The call names two tools; no tool was run.' };
      }
      const text = JSON.stringify(route.input);
      if (offered.has(name)) return { toolName: name, input: text };
      // Known, but left out of this step by the app.
      if (isKnown(name)) return { toolName: name, input: text, ...errorOf(notOffered(name)) };
      return { toolName: executor, input: executorInput(name, route.input) };
    }
    const target = announced ?? this.#offeredTarget(route.target ?? wireName);
    if (target === undefined) {
      const key = this.nameKey(wireName);
      const envelope = key === undefined ? undefined : readEnvelope(input, key);
      const name = envelope ? (envelope.target ?? '') : wireName;
      return { toolName: executor, input: executorInput(name, envelope ? given(envelope) : input), ...errorOf(route) };
    }
    const entry: Entry | undefined = turn.lookUp(target);
    if (route.input === undefined || !entry) return { toolName: target, input: unparsable(input), ...errorOf(route) };
    const text = JSON.stringify(route.input);
    if (entry.groupId !== undefined) verdicts.refuse(target, text, JSON.stringify(route.result));
    return { toolName: target, input: text, ...errorOf(route) };
  }

  #offeredTarget(name: string): string | undefined {
    const { turn, offered } = this.#options;
    const entry = turn.lookUp(name);
    return entry && offered.has(entry.name) ? entry.name : undefined;
  }

  #kind(wireName: string): BridgeKind | undefined {
    return this.#options.turn.bridgeKind(wireName);
  }
}

function errorOf(route: Route): { error?: string } {
  return route.kind === 'answer' && route.isError ? { error: JSON.stringify(route.result) } : {};
}

function notOffered(name: string): Route {
  const message = `${cut(name, 80)} cannot be used in this step. No tool was run.`;
  return { kind: 'answer', isError: true, result: { error: 'tool_not_active', tool: cut(name, 80), message } };
}

function executorInput(name: string, value: unknown): string {
  return JSON.stringify({ tool_name: name, arguments: value });
}

function given(envelope: ReturnType<typeof readEnvelope>): unknown {
  return envelope.given.kind === 'object' ? envelope.given.value : { ...envelope.beside };
}

/** Input the SDK cannot parse, so that it runs nothing: it is no call, whatever it contains. */
function unparsable(input: string): string {
  return `not a valid call: ${input}`;
}

function parses(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
