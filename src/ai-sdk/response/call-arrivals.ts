import {
  asJson,
  type CallRecord,
  callDigest,
  inputText,
  isRefusal,
  named,
  notActive,
  plainSubject,
  type Refusal,
  resolveCall,
  resolveNow,
  type Step,
  type Subject,
  textOf,
  wireInput,
} from '../../host/index.ts';
import type { ReadCall, Turn } from '../../tools/calls/index.ts';
import type { WireTool } from '../declared-tools/index.ts';
import {
  brokenText,
  inputUnder,
  isMarked,
  type RawInput,
  readBridgeInput,
  wireBinding,
} from '../metadata/index.ts';
import type { SdkView } from '../tool-set/index.ts';
import { nameForRefusal } from './refusal-name.ts';

export interface ArrivalOptions {
  readonly view: SdkView;
  readonly turn: Turn;
  readonly signal: AbortSignal | undefined;
  /** The tools that the SDK sent in this request, by name. */
  readonly offered: ReadonlyMap<string, WireTool>;
  /** Whether the set had the name when the step began. */
  readonly isKnown: (name: string) => boolean;
  /** Unwraps the input of a bridge tool, if the provider wraps it. */
  readonly bridgeInput?: ((name: string, input: string) => string) | undefined;
}

/** A call from the model. `input` is the object that the model wrote, or the text if it is no object. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly raw: RawInput;
}

/** A call as the SDK gets it: a tool of its set, an input, and the answer if the call is refused. */
export interface SdkCall {
  /** What is known of the call, with the name of the tool and the input that the SDK is expected to bring. */
  readonly record: CallRecord;
  /** The input before it is written as JSON. */
  readonly given: unknown;
  /** The input is a text that is not JSON. It is passed on unchanged. */
  readonly isBroken?: boolean;
  readonly error?: string;
  readonly binding?: string | undefined;
  /** The digest of the call that the SDK is expected to execute. */
  readonly digest: string;
}

/** Translates the calls of one response for the SDK. Each call is resolved once and decided once. */
export class CallArrivals {
  readonly #options: ArrivalOptions;
  readonly #step: Step;

  constructor(options: ArrivalOptions) {
    this.#options = options;
    const { turn, signal, offered, isKnown } = options;
    this.#step = {
      turn,
      signal,
      isKnown,
      isOffered: (name) => offered.has(name),
      canAsk: (subject) => this.#canAskUser(subject),
    };
  }

  /** Whether the app added the tool beside Toolfold's tools, or the tool is a provider's own. */
  isForeign(name: string): boolean {
    const { offered, isKnown } = this.#options;
    return offered.has(name) && (!isKnown(name) || !isMarked(offered.get(name)));
  }

  /** `announced`: the name under which the stream of the call has already begun. */
  async translate(
    call: WireCall,
    isFirst: boolean,
    announced: string | undefined,
  ): Promise<SdkCall> {
    if (this.isForeign(call.name)) return this.#translateForeign(call);
    const { turn, view } = this.#options;
    const first = turn.read(call);
    if (!first.envelope) return this.#translateBridge(call, first);
    const { read, refusal } = named(view.hooks, this.#step, first);
    const found = refusal ?? (await resolveCall(this.#step, read, isFirst, announced));
    if (!isRefusal(found)) return this.#translateSubject(call, found);
    view.extend();
    return this.#translateRefusal(call, read, found, announced);
  }

  async #translateSubject(call: WireCall, subject: Subject): Promise<SdkCall> {
    const record = this.#begin(call);
    await this.#options.view.life.arrive(record, subject, this.#step);
    const { refused, subject: now = subject } = record;
    if (refused) return this.#refuse(call, now, refused.refusal, refused.isDenied, false);
    // The SDK applies the schema of an own tool itself.
    if (!now.entry || now.entry.own !== undefined) return this.#allow(record, now, now.final);
    const { shown, text } = await this.#withFinalInput(now);
    return this.#allow(record, shown, shown.input, text);
  }

  /** `expected`: the input that the SDK is expected to have when it asks for approval. */
  #allow(
    record: CallRecord,
    subject: Subject,
    expected: unknown,
    expectedText: string = inputText(expected),
  ): SdkCall {
    const { name, input, final, isLate } = subject;
    const digest = callDigest(name, expected, isLate ? expected : final, expectedText);
    const binding = this.#bindingOf(subject);
    // The tool is not known yet. If the set cannot answer for its name, the executor does.
    const isNew = subject.isLate && !subject.entry;
    const sdkName = isNew ? nameForRefusal(name, false, this.#options) : name;
    const given = inputUnder(sdkName, subject);
    const text = given === input ? expectedText : inputText(given);
    Object.assign(record, { subject, name: sdkName, expected: text });
    return { record, given, digest, binding };
  }

  /**
   * The call with the input that its tool will get, so that the messages show this input. Only if the
   * input is plain JSON and applying the schema again does not change it.
   */
  async #withFinalInput(subject: Subject): Promise<{ shown: Subject; text: string }> {
    const { id, name, input, final, isLate } = subject;
    const text = inputText(input);
    const asWritten = { shown: subject, text };
    if (isLate || final === input) return asWritten;
    const finalText = inputText(final);
    if (finalText === text) return { shown: { ...subject, final: input }, text };
    const json = asJson(final);
    if (inputText(json) !== finalText) return asWritten;
    const again = await resolveNow(this.#options.turn, { id, name, input: json });
    if (isRefusal(again) || inputText(again.final) !== finalText) return asWritten;
    return { shown: { ...again, final }, text: finalText };
  }

  /** Translates a call of a tool beside Toolfold's. Only the app's hooks apply to it. */
  #translateForeign(call: WireCall): Promise<SdkCall> {
    const { offered, view } = this.#options;
    const { id, name, raw } = call;
    const tool = offered.get(name);
    const subject = plainSubject(id, name, raw.value);
    return this.#translateSubject(call, { ...subject, isForeign: !tool || !view.marks.has(tool) });
  }

  /** Translates a call of a bridge tool. A call with unreadable input, or of a bridge that was not offered, is refused at once. */
  async #translateBridge(call: WireCall, read: ReadCall): Promise<SdkCall> {
    const { turn, offered, bridgeInput } = this.#options;
    const { id, name: wireName, raw } = call;
    const name = turn.bridgeName(read.kind ?? 'load_tools');
    const {
      given,
      read: input,
      isReadable,
    } = readBridgeInput(raw, bridgeInput?.(wireName, raw.raw));
    if (offered.has(name) && isReadable) {
      const record = this.#begin(call);
      record.subject = plainSubject(id, name, given);
      return this.#finish(record, name, given);
    }
    const refusal = offered.has(name)
      ? await turn.decide({ id, name: wireName, input })
      : notActive(wireName);
    const answer = refusal.kind === 'answer' ? refusal : notActive(wireName);
    return this.#refuse(
      call,
      plainSubject(id, name, wireInput(raw.raw, raw.value)),
      answer,
      false,
      false,
    );
  }

  #translateRefusal(
    call: WireCall,
    read: ReadCall,
    refusal: Refusal,
    announced: string | undefined,
  ): SdkCall {
    const { turn, offered, view } = this.#options;
    const { envelope } = read;
    const target = announced ?? refusal.target ?? envelope?.target;
    const entry = target === undefined ? undefined : turn.lookUp(target);
    const name = announced ?? entry?.name ?? target ?? call.name;
    const given = envelope?.given.kind === 'object' ? envelope.given.value : undefined;
    const subject = plainSubject(
      call.id,
      name,
      refusal.input ?? given ?? wireInput(call.raw.raw, call.raw.value),
      entry,
    );
    const isBroken = brokenText(call.raw) !== undefined;
    const sdkName = nameForRefusal(name, false, this.#options);
    const isInvalid = isInvalidInput(refusal) && sdkName === name && offered.has(name);
    // Have the SDK's validator refuse this input too, so that the app can repair it.
    if (isInvalid && !isBroken) view.invalid.keep(name, subject.input, textOf(refusal));
    return this.#refuse(call, subject, refusal, false, isInvalid || isBroken);
  }

  /**
   * Translates a refused call into a well-formed call of the real tool. The tool then gives the refusal.
   * `isDenied`: the SDK can deny the call of a tool that Toolfold does not run.
   */
  #refuse(
    call: WireCall,
    subject: Subject,
    refusal: Refusal,
    isDenied: boolean,
    isRepairable: boolean,
  ): SdkCall {
    const { turn, view } = this.#options;
    turn.report(call, refusal);
    view.warnOf(refusal);
    const name = nameForRefusal(subject.name, isDenied, this.#options);
    // A text that is not JSON stays unchanged: the SDK cannot read it either.
    const text = brokenText(call.raw);
    const record = this.#begin(call);
    record.refused = { refusal, isDenied, isRepairable, isReported: true };
    return {
      ...this.#finish(record, name, text ?? inputUnder(name, subject)),
      isBroken: text !== undefined,
      error: textOf(refusal),
      binding: this.#bindingOf(subject),
    };
  }

  #begin({ id, name: wireName }: WireCall): CallRecord {
    const { turn, signal, view } = this.#options;
    return { view: view.life, id, name: wireName, wireName, turn, signal, expected: '' };
  }

  /** `given`: the input that the SDK gets, and is expected to bring. */
  #finish(record: CallRecord, name: string, given: unknown): SdkCall {
    const text = inputText(given);
    Object.assign(record, { name, expected: text });
    return { record, given, digest: callDigest(name, given, given, text) };
  }

  /** Whether the SDK will ask this view's policy, so that the user can be asked about the call. */
  #canAskUser({ name }: Subject): boolean {
    const { offered, view } = this.#options;
    const tool = offered.get(name);
    if (!tool) return true;
    const isOurs = view.marks.has(tool);
    if (isOurs && view.set.runs(name)) return true;
    // The SDK asks the policy of another view about that view's tools. It may not know this decision.
    if (isMarked(tool) && !isOurs) return false;
    return !view.life.isBypassed;
  }

  #bindingOf({ entry, name }: Subject): string | undefined {
    const { view, offered } = this.#options;
    return entry ? view.session.bindingOf(entry) : wireBinding(offered.get(name));
  }
}

/** Whether a refusal says that the arguments are invalid, which the app may repair. */
function isInvalidInput({ result }: Refusal): boolean {
  return [result.error, result.cause].includes('invalid_arguments');
}
