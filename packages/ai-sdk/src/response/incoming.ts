import { NESTED_TOO_DEEP, nameKeyOf } from '@toolfold/core/internal/calls';
import { callDigest, inputText, KEY, type Stamp, textOf } from '@toolfold/core/internal/host';
import { plainName } from '@toolfold/core/internal/tool';
import {
  anyInput,
  brokenText,
  cutIfDeep,
  type RawInput,
  readBridgeInput,
  readRaw,
  wireBinding,
} from '../messages/index.ts';
import type { LanguageModelV4ToolCall, LanguageModelV4ToolResult } from '../protocol/index.ts';
import { answerBridge, isMarked } from '../tool-set/index.ts';
import {
  type ArrivalOptions,
  Arrivals,
  answersUnlisted,
  inexactIn,
  type ReceivedCall,
  roundedIn,
} from './arrivals.ts';
import { givenId } from './call-ids.ts';

/** Names that every provider accepts: letters, digits, `_` and `-`, at most 64 (OpenAI; Anthropic accepts 128). */
const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;

export type IncomingOptions = InsideOptions;

/** Rewrites the calls of one response as calls of the real tools, in order. */
export class ResponseCalls {
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
    const cut = cutIfDeep(onWire.input);
    const plain = this.nameOf(onWire.toolName);
    const isAsWritten = plain === onWire.toolName && cut === undefined;
    const call = isAsWritten ? onWire : { ...onWire, toolName: plain, input: cut ?? onWire.input };
    const { view, offered } = this.#options;
    const { toolCallId: id, toolName: name } = call;
    const isInside = this.isInside(id, name);
    const ofProvider = givenId(call);
    const rounded = this.#options.givesText ? undefined : roundedIn(call.input);
    const problem = cut === undefined ? rounded : NESTED_TOO_DEEP;
    const isExact = problem === undefined && inexactIn(call.input) === undefined;
    const mayPass = ofProvider.i === undefined && isExact;
    if (!isInside && mayPass && this.#isUnchanged(name)) return this.#withBinding(call);
    const order = this.#count++;
    const input = readRaw(call.input);
    const wire: ReceivedCall = {
      ...input,
      id,
      name,
      input: input.written,
      problem,
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
  #sendable({ name, raw, written }: ReceivedCall): Pick<Stamp, 'n' | 'r'> {
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

interface InsideOptions extends ArrivalOptions {
  /** The number of this round of the model call. Undefined: loads are left to ordinary steps. */
  readonly round: number | undefined;
  /** Whether the app's settings say something about the bridge tool: then the SDK has to ask them. */
  readonly isSettled: (bridge: string) => boolean;
}

interface AnsweredCall {
  readonly call: LanguageModelV4ToolCall;
  /** The text for the model. */
  readonly answer: Promise<{ readonly text: string; readonly isError: boolean }>;
}

/**
 * The calls of one response that load, search or describe, and their answers. Only calls before any other
 * call are answered here: no loader may run ahead of an earlier call. Where a load may reveal tools, loads
 * are left to ordinary steps: the SDK uses new tools from its next step on.
 */
class InsideCalls {
  readonly #options: InsideOptions;
  readonly #takes = new Map<string, boolean>();
  readonly #answering: AnsweredCall[] = [];
  #isOpen: boolean | undefined;

  constructor(options: InsideOptions) {
    this.#options = options;
  }

  /** Whether the call is answered inside the model call. Ask for each call, in the order in which they begin. */
  takes(id: string, wireName: string, isForeign: boolean): boolean {
    const known = this.#takes.get(id);
    if (known !== undefined) return known;
    const isTaken = !isForeign && this.#isLoad(wireName) && this.areAll;
    this.#takes.set(id, isTaken);
    return isTaken;
  }

  #isLoad(wireName: string): boolean {
    const { round, turn, isSettled } = this.#options;
    const kind = turn.bridgeKind(wireName);
    if (kind === undefined || nameKeyOf(kind) !== undefined) return false;
    // As of the first load of the response: what it reveals is for later steps.
    this.#isOpen ??= round !== undefined && !turn.mayReveal();
    return this.#isOpen && !isSettled(turn.bridgeName(kind));
  }

  /** Whether all calls so far are answered here. */
  get areAll(): boolean {
    return [...this.#takes.values()].every(Boolean);
  }

  get count(): number {
    return this.#answering.length;
  }

  /** What the SDK must know of such a call: nobody has to run it, and its set may lack the tool. */
  flagsOf(wireName: string): { providerExecuted: true; dynamic?: true; toolName: string } {
    const { turn, offered } = this.#options;
    const toolName = turn.bridgeName(turn.bridgeKind(wireName) ?? 'load_tools');
    const isOffered = offered.has(toolName);
    return { toolName, providerExecuted: true, ...(isOffered ? {} : { dynamic: true }) };
  }

  /** Begins to answer a call. Returns it for the SDK. */
  begin(call: LanguageModelV4ToolCall, input: RawInput, stamp: Stamp): LanguageModelV4ToolCall {
    const { turn, view, signal, bridgeInput } = this.#options;
    const flags = this.flagsOf(call.toolName);
    const { given, read } = readBridgeInput(input, bridgeInput?.(call.toolName, input.raw));
    const asked = { id: call.toolCallId, name: flags.toolName, input: read };
    const answer = answerBridge(view, turn, asked, stamp.n, signal).then((found) => ({
      text: textOf(found),
      isError: found.isError,
    }));
    answer.catch(() => {});
    return this.#add({ ...call, ...flags, input: JSON.stringify(given) }, stamp, answer);
  }

  /**
   * Whether a refused call can be answered here, although its tool is no bridge: the SDK has no tool of this
   * name that could give the refusal. A refusal runs no loader, so it does not wait for earlier calls.
   */
  get canRefuse(): boolean {
    const { round, turn } = this.#options;
    return round !== undefined && turn.epoch.strategy.defers !== 'nothing';
  }

  /** Answers a refused call. */
  refuse(call: LanguageModelV4ToolCall, stamp: Stamp, text: string): LanguageModelV4ToolCall {
    this.#takes.set(call.toolCallId, true);
    const refused = { ...call, providerExecuted: true, dynamic: true };
    return this.#add(refused, stamp, Promise.resolve({ text, isError: true }));
  }

  #add(
    call: LanguageModelV4ToolCall,
    stamp: Stamp,
    answer: AnsweredCall['answer'],
  ): LanguageModelV4ToolCall {
    const { round } = this.#options;
    const marked = { ...stamp, ...(round === undefined ? {} : { k: round }) };
    const marks = { ...call.providerMetadata, [KEY]: marked };
    const sdkCall = { ...call, providerMetadata: marks };
    this.#answering.push({ call: sdkCall, answer });
    return sdkCall;
  }

  /**
   * The results, in the order of their calls. `trailing`: the number of content parts after the last call,
   * if the model is asked again. Rejects with the signal's reason.
   */
  async results(trailing: number | undefined): Promise<LanguageModelV4ToolResult[]> {
    const { round = 0 } = this.#options;
    const mark = { k: round, ...(trailing === undefined ? {} : { z: trailing }) };
    const results: LanguageModelV4ToolResult[] = [];
    for (const { call, answer } of this.#answering) {
      const { text, isError } = await answer;
      const { toolCallId, toolName, dynamic } = call;
      results.push({
        ...{ type: 'tool-result', toolCallId, toolName, result: text },
        ...(isError ? { isError } : {}),
        ...(dynamic ? { dynamic } : {}),
        providerMetadata: { [KEY]: mark },
      });
    }
    return results;
  }
}
