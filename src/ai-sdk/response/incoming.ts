import { callDigest, inputText, KEY, type Stamp } from '../../host/index.ts';
import { nameKeyOf } from '../../tools/calls/index.ts';
import { anyInput, isMarked, type RawInput, readRaw, wireBinding } from '../metadata/index.ts';
import type { LanguageModelV4ToolCall } from '../protocol/index.ts';
import { type ArrivalOptions, CallArrivals, type SdkCall } from './call-arrivals.ts';
import type { CallIds } from './call-ids.ts';
import { InsideCalls, type InsideOptions } from './inside-calls.ts';
import { answersUnlisted } from './refusal-name.ts';

/** Names that every provider accepts: letters, digits, `_` and `-`, at most 64 (OpenAI; Anthropic accepts 128). */
const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;

export interface IncomingOptions
  extends ArrivalOptions,
    Pick<InsideOptions, 'round' | 'isSettled'> {
  readonly ids: CallIds;
}

/** Rewrites the calls of one response as calls of the real tools, in order. */
export class Incoming {
  readonly #options: IncomingOptions;
  readonly #arrivals: CallArrivals;
  /** The calls that are answered inside the model call. */
  readonly inside: InsideCalls;
  /** The id for the SDK of a call with this id on the wire. */
  readonly idOf: (id: string) => string;
  /** Number of calls of this response so far. */
  #count = 0;
  /** Aborts loaders that were started for calls of an incomplete response. */
  readonly #abort = new AbortController();

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#arrivals = new CallArrivals(options);
    const { signal } = options;
    const aborted = AbortSignal.any([this.#abort.signal, ...(signal ? [signal] : [])]);
    this.inside = new InsideCalls({ ...options, signal: aborted });
    this.idOf = options.ids.ofResponse();
  }

  /** Whether the call is answered inside the model call. */
  isInside(id: string, wireName: string): boolean {
    return this.inside.takes(id, wireName, this.#arrivals.isForeign(wireName));
  }

  /** The key of the tool name in a dispatcher's input; undefined if the name is not a dispatcher's. */
  nameKey(wireName: string): string | undefined {
    return nameKeyOf(this.#options.turn.bridgeKind(wireName));
  }

  /** The name under which a call can start to stream before its arguments are known. */
  announce(name: string, isFirst: boolean): string | undefined {
    const { turn, offered, signal } = this.#options;
    const entry = turn.lookUp(name);
    if (!entry || !offered.has(entry.name)) return;
    // A loader must not run before an earlier call.
    if (isFirst && !turn.isReady(entry)) {
      turn.warm(entry, AbortSignal.any([this.#abort.signal, ...(signal ? [signal] : [])]));
    }
    return entry.name;
  }

  /** Called when the response ends early: aborts the loaders that were started for it. */
  abort(): void {
    this.#abort.abort();
  }

  /** The name under which a call without an envelope streams; undefined if only the complete call can tell. */
  streamName(wireName: string, isFirst: boolean): string | undefined {
    const { turn, offered } = this.#options;
    if (this.#arrivals.isForeign(wireName) || this.#isUnchanged(wireName)) return wireName;
    const kind = turn.bridgeKind(wireName);
    if (kind === undefined) return this.announce(wireName, isFirst);
    const name = turn.bridgeName(kind);
    return offered.has(name) ? name : undefined;
  }

  /** The call for the SDK. `announced`: the name under which its stream has already begun. */
  async rewrite(
    call: LanguageModelV4ToolCall,
    announced?: string,
  ): Promise<LanguageModelV4ToolCall> {
    if (call.providerExecuted) return call;
    const { view } = this.#options;
    const { toolCallId: wireId, toolName: wireName, input: raw } = call;
    const isInside = this.isInside(wireId, wireName);
    const id = this.idOf(wireId);
    const renamed = id === wireId ? call : { ...call, toolCallId: id };
    if (!isInside && this.#isUnchanged(wireName)) return this.#withBinding(renamed);
    const order = this.#count++;
    const input = readRaw(raw);
    const sendable = {
      ...this.#sendable(wireName, input),
      o: order,
      ...(id === wireId ? {} : { i: wireId }),
    };
    if (isInside) return this.inside.begin(renamed, input, sendable);
    const read = { id, name: wireName, input: input.written, raw: input };
    const sdkCall: SdkCall = await this.#arrivals.translate(read, order === 0, announced);
    const { given, digest, error, binding, record } = sdkCall;
    const { name: toolName } = record;
    const stamp: Stamp = {
      ...sendable,
      ...(error === undefined ? {} : { e: error }),
      c: digest,
      ...(binding === undefined ? {} : { d: binding }),
      ...this.#format(toolName),
    };
    const written = sdkCall.isBroken ? undefined : (JSON.stringify(given) ?? '{}');
    if (error !== undefined && this.inside.canRefuse && !this.#hasTool(toolName)) {
      const refused = { ...renamed, toolName, input: written ?? '{}' };
      return this.inside.refuse(wireId, refused, stamp, error);
    }
    const metadata = { ...call.providerMetadata, [KEY]: { ...stamp } };
    record.metadata = metadata;
    view.life.records.arrive(record);
    const sdkInput = written ?? String(given);
    return { ...renamed, toolName, input: sdkInput, providerMetadata: metadata };
  }

  /** Whether the SDK has a tool that gives a refusal under this name. */
  #hasTool(name: string): boolean {
    return this.#options.offered.has(name) || answersUnlisted(this.#options);
  }

  #format(toolName: string): Pick<Stamp, 'f'> {
    const format = this.#options.view.session.resultFormatOf(toolName);
    return format === undefined ? {} : { f: format };
  }

  /**
   * The call in a form that later requests can send. Providers refuse invalid names in the history too:
   * a call with such a name is stored as a call of the dispatcher, with its name and arguments inside.
   */
  #sendable(name: string, { raw, written }: RawInput): Pick<Stamp, 'n' | 'r'> {
    if (SENDABLE.test(name) || this.#options.offered.has(name)) return { n: name, r: raw };
    const text = JSON.stringify({ tool_name: name, arguments: written });
    return { n: this.#options.view.inputs.executor, r: text };
  }

  /** The unchanged call, with the binding for its approval in the metadata. */
  #withBinding(call: LanguageModelV4ToolCall): LanguageModelV4ToolCall {
    const { view, offered, turn, signal } = this.#options;
    const { toolCallId: id, toolName: name } = call;
    const entry = view.session.find(name);
    const d = entry ? view.session.bindingOf(entry) : wireBinding(offered.get(name));
    const input = anyInput(call.input);
    const c = callDigest(name, input);
    const metadata = { ...call.providerMetadata, ...(d === undefined ? {} : { [KEY]: { d, c } }) };
    const begun = { view: view.life, id, name, turn, signal };
    view.life.records.arrive({ ...begun, metadata, expected: inputText(input) });
    return d === undefined ? call : { ...call, providerMetadata: metadata };
  }

  /** Whether a call is passed on unchanged: no tool is deferred, and the SDK has the app's own tool. */
  #isUnchanged(name: string): boolean {
    const { turn, offered, view } = this.#options;
    const tool = offered.get(name);
    return (
      !view.hooks.canDecide &&
      view.session.find(name)?.groupId === undefined &&
      turn.epoch.strategy.defers === 'nothing' &&
      tool !== undefined &&
      (view.marks.has(tool) || !isMarked(tool)) &&
      turn.bridgeKind(name) === undefined
    );
  }
}
