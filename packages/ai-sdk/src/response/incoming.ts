import { callDigest, KEY, type Stamp, textOf } from '@toolfold/core/internal/host';
import { inputText } from '@toolfold/core/internal/host/input-text';
import { nameKeyOf } from '@toolfold/core/internal/tools/calls';
import { plainName } from '@toolfold/core/internal/tools/names';
import { anyInput, brokenText, readRaw, wireBinding } from '../metadata/index.ts';
import type { LanguageModelV4ToolCall } from '../protocol/index.ts';
import { isMarked } from '../tool-set/index.ts';
import { Arrivals, type WireCall } from './arrivals.ts';
import { givenId } from './call-ids.ts';
import { inexactIn, roundedIn } from './given-text.ts';
import { InsideCalls, type InsideOptions } from './inside-calls.ts';
import { answersUnlisted } from './refusal-name.ts';

/** Names that every provider accepts: letters, digits, `_` and `-`, at most 64 (OpenAI; Anthropic accepts 128). */
const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;

export type IncomingOptions = InsideOptions;

/** Rewrites the calls of one response as calls of the real tools, in order. */
export class Incoming {
  readonly #options: IncomingOptions;
  readonly #arrivals: Arrivals;
  /** The calls that are answered inside the model call. */
  readonly inside: InsideCalls;
  /** Whether calls of the app's own tools may pass unchanged. */
  readonly #mayPass: boolean;
  /** Number of calls of this response so far. */
  #count = 0;
  /** Aborts loaders that were started for calls of an incomplete response. */
  readonly #abort = new AbortController();
  /** Fires with `#abort` and with the signal of the request. */
  readonly #signal: AbortSignal;

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#arrivals = new Arrivals(options);
    const { signal, turn, view } = options;
    this.#signal = AbortSignal.any([this.#abort.signal, ...(signal ? [signal] : [])]);
    this.inside = new InsideCalls({ ...options, signal: this.#signal });
    this.#mayPass = turn.epoch.strategy.defers === 'nothing' && !view.hooks.canDecide;
  }

  /**
   * The name of a call on the wire, without what the model's format puts around it if only that name means something.
   * Providers refuse the marks in the history.
   */
  nameOf(written: string): string {
    const plain = plainName(written);
    const { turn, offered } = this.#options;
    if (plain === written || offered.has(written) || !SENDABLE.test(plain)) return written;
    const entry = turn.lookUp(plain);
    if (turn.lookUp(written) !== entry) return written;
    const isKnown = entry || offered.has(plain) || turn.bridgeKind(plain) || turn.mayAppear(plain);
    return isKnown ? plain : written;
  }

  /** Whether the call is answered inside the model call. */
  isInside(id: string, written: string): boolean {
    const wireName = this.nameOf(written);
    return this.inside.takes(id, wireName, this.#arrivals.isForeign(wireName));
  }

  /** The key of the tool name in a dispatcher's input; undefined if the name is not a dispatcher's. */
  nameKey(wireName: string): string | undefined {
    return nameKeyOf(this.#options.turn.bridgeKind(wireName));
  }

  /** The name under which a call can start to stream before its arguments are known. */
  announce(name: string, isFirst: boolean): string | undefined {
    const { turn, offered } = this.#options;
    const entry = turn.lookUp(name);
    if (!entry || !offered.has(entry.name)) return;
    // A loader must not run before an earlier call.
    if (isFirst && !turn.isReady(entry)) turn.warm(entry, this.#signal);
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
    onWire: LanguageModelV4ToolCall,
    announced?: string,
  ): Promise<LanguageModelV4ToolCall> {
    if (onWire.providerExecuted) return onWire;
    const plain = this.nameOf(onWire.toolName);
    const call = plain === onWire.toolName ? onWire : { ...onWire, toolName: plain };
    const { view, offered } = this.#options;
    const { toolCallId: id, toolName: name } = call;
    const isInside = this.isInside(id, name);
    const ofProvider = givenId(call);
    const rounded = this.#options.givesText ? undefined : roundedIn(call.input);
    const isExact = rounded === undefined && inexactIn(call.input) === undefined;
    const mayPass = ofProvider.i === undefined && isExact;
    if (!isInside && mayPass && this.#isUnchanged(name)) return this.#withBinding(call);
    const order = this.#count++;
    const input = readRaw(call.input);
    const wire: WireCall = {
      ...input,
      id,
      name,
      input: input.written,
      rounded,
      isFirst: order === 0,
    };
    const sent = { ...this.#sendable(wire), o: order, ...ofProvider };
    if (isInside) return this.inside.begin(call, wire, sent);
    const { record, given, digest, binding } = await this.#arrivals.translate(wire, announced);
    const { name: toolName, refused } = record;
    const error = refused && textOf(refused.refusal);
    const { repairs } = record.resolved ?? {};
    const format = view.session.resultFormatOf(toolName);
    const stamp: Stamp = {
      ...sent,
      ...(error === undefined ? {} : { e: error }),
      c: digest,
      ...(binding === undefined ? {} : { d: binding }),
      ...(repairs === undefined ? {} : { p: repairs }),
      ...(format === undefined ? {} : { f: format }),
    };
    const isBroken = refused !== undefined && brokenText(wire) !== undefined;
    const written = isBroken ? undefined : (JSON.stringify(given) ?? '{}');
    if (error !== undefined && this.inside.canRefuse) {
      const hasTool = offered.has(toolName) || answersUnlisted(this.#options);
      const inRound = { ...call, toolName, input: written ?? '{}' };
      if (!hasTool) return this.inside.refuse(inRound, stamp, error);
    }
    const metadata = { ...call.providerMetadata, [KEY]: { ...stamp } };
    record.metadata = metadata;
    view.life.records.arrive(record);
    return { ...call, toolName, input: written ?? String(given), providerMetadata: metadata };
  }

  /**
   * The call in a form that later requests can send. Providers refuse invalid names in the history too:
   * a call with such a name is stored as a call of the dispatcher, with its name and arguments inside.
   */
  #sendable({ name, raw, written }: WireCall): Pick<Stamp, 'n' | 'r'> {
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
    if (!this.#mayPass) return false;
    const { turn, offered, view } = this.#options;
    const tool = offered.get(name);
    return (
      view.session.find(name)?.groupId === undefined &&
      tool !== undefined &&
      (view.marks.has(tool) || !isMarked(tool)) &&
      turn.bridgeKind(name) === undefined
    );
  }
}
