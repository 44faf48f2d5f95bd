import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { callDigest, KEY, type Stamp } from '../../host/index.ts';
import { nameKeyOf } from '../../tools/calls/index.ts';
import { anyInput, isMarked, type RawInput, readRaw, wireBinding } from '../metadata/index.ts';
import { type ArrivalOptions, CallArrivals, type SdkCall } from './call-arrivals.ts';

/** Names that every provider takes: letters, digits, `_` and `-`, 64 at most (OpenAI; Anthropic takes 128). */
const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** Turns the calls of one response into calls of the real tools, in order. */
export class Incoming {
  readonly #options: ArrivalOptions;
  readonly #arrivals: CallArrivals;
  /** Calls of this response so far. */
  #seen = 0;
  /** Ends what was begun for calls that never arrived whole. */
  readonly #cutOff = new AbortController();

  constructor(options: ArrivalOptions) {
    this.#options = options;
    this.#arrivals = new CallArrivals(options);
  }

  /** The name key of a dispatcher, for a stream to look for. */
  nameKey(wireName: string): string | undefined {
    return nameKeyOf(this.#options.turn.bridgeKind(wireName));
  }

  /** The name under which a call can be announced before its arguments are known. */
  announce(name: string, isFirst: boolean): string | undefined {
    const { turn, offered, signal } = this.#options;
    const entry = turn.lookUp(name);
    if (!entry || !offered.has(entry.name)) return;
    // A loader must not run ahead of an earlier call.
    if (isFirst && !turn.isReady(entry)) {
      turn.warm(entry, AbortSignal.any([this.#cutOff.signal, ...(signal ? [signal] : [])]));
    }
    return entry.name;
  }

  /** The response broke off: nothing goes on that was begun for it. */
  cutOff(): void {
    this.#cutOff.abort();
  }

  /** Under what name a call that is no envelope streams; undefined where only its end can tell. */
  streamName(wireName: string, isFirst: boolean): string | undefined {
    const { turn, offered } = this.#options;
    if (this.#arrivals.isForeign(wireName) || this.#passes(wireName)) return wireName;
    const kind = turn.bridgeKind(wireName);
    if (kind === undefined) return this.announce(wireName, isFirst);
    const name = turn.bridgeName(kind);
    return offered.has(name) ? name : undefined;
  }

  /** The call the SDK sees. `announced` is the name its stream already began under. */
  async rewrite(
    call: LanguageModelV4ToolCall,
    announced?: string,
  ): Promise<LanguageModelV4ToolCall> {
    if (call.providerExecuted) return call;
    const { turn, policy } = this.#options;
    const { toolCallId: id, toolName: wireName, input: raw } = call;
    if (this.#passes(wireName)) return this.#bound(call);
    const order = this.#seen++;
    const input = readRaw(raw);
    const read = { id, name: wireName, input: input.written, raw: input };
    const told: SdkCall = await this.#arrivals.translate(read, order === 0, announced);
    const { name: toolName, given, about, error, binding, expected, decision } = told;
    const stamp: Stamp = {
      ...this.#sendable(wireName, input),
      o: order,
      ...(error === undefined ? {} : { e: error }),
      t: about,
      ...(binding === undefined ? {} : { d: binding }),
      ...this.#format(toolName),
    };
    const metadata = { ...call.providerMetadata, [KEY]: { ...stamp } };
    policy.arrivals.keep({ id, name: toolName, wireName, metadata, turn, expected, decision });
    const text = told.isBroken ? String(given) : (JSON.stringify(given) ?? '{}');
    return { ...call, toolName, input: text, providerMetadata: metadata };
  }

  #format(toolName: string): Pick<Stamp, 'f'> {
    const format = this.#options.session.resultFormatOf(toolName);
    return format === undefined ? {} : { f: format };
  }

  /**
   * The call as later requests can send it. Providers refuse names of other characters, or longer ones,
   * in the history too: such a call goes on as one of the dispatcher, with name and arguments in it.
   */
  #sendable(name: string, { raw, written }: RawInput): Pick<Stamp, 'n' | 'r'> {
    if (SENDABLE.test(name) || this.#options.offered.has(name)) return { n: name, r: raw };
    const text = JSON.stringify({ tool_name: name, arguments: written });
    return { n: this.#options.executor, r: text };
  }

  /** A call that goes on as it is, with what an approval of it is bound to. */
  #bound(call: LanguageModelV4ToolCall): LanguageModelV4ToolCall {
    const { session, offered, policy } = this.#options;
    const { toolCallId: id, toolName: name } = call;
    const entry = session.find(name);
    const d = entry ? session.bindingOf(entry) : wireBinding(offered.get(name));
    policy.arrivals.noteCall({ id, name });
    if (d === undefined) return call;
    const t = callDigest(name, anyInput(call.input));
    return { ...call, providerMetadata: { ...call.providerMetadata, [KEY]: { d, t } } };
  }

  /** Where nothing is deferred the SDK has the app's tools as they are. */
  #passes(name: string): boolean {
    const { turn, offered, hooks, set, session } = this.#options;
    const tool = offered.get(name);
    return (
      !hooks.canDecide &&
      session.find(name)?.groupId === undefined &&
      turn.epoch.strategy.defers === 'nothing' &&
      tool !== undefined &&
      (set.owns(tool) || !isMarked(tool)) &&
      turn.bridgeKind(name) === undefined
    );
  }
}
