import {
  type Arrival,
  approvalNeeded,
  callAgain,
  callDigest,
  type Hooks,
  inputText,
  isRefusal,
  lateSubject,
  NOT_ASKED,
  namesTwoTools,
  notActive,
  type Policy,
  plainSubject,
  type Refusal,
  resolveNow,
  type Subject,
  textOf,
  wireInput,
} from '../../host/index.ts';
import type { ReadCall, Turn } from '../../tools/calls/index.ts';
import type { Session } from '../../tools/session/index.ts';
import type { Entry } from '../../tools/tool/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import {
  anyInput,
  asJson,
  asSdkCall,
  brokenText,
  isMarked,
  type RawInput,
  wireBinding,
} from '../metadata/index.ts';
import type { InvalidInputs, LiveSet, ToolRunner } from '../tool-set/index.ts';
import type { WireTool } from '../wire/index.ts';
import { nameForRefusal } from './refusal-name.ts';

export interface ArrivalOptions {
  readonly session: Session;
  readonly turn: Turn;
  readonly signal: AbortSignal | undefined;
  readonly hooks: Hooks;
  readonly policy: Policy;
  readonly runner: ToolRunner;
  readonly set: LiveSet;
  readonly invalid: InvalidInputs;
  /** The tools that the SDK sent in this request, by name. */
  readonly offered: ReadonlyMap<string, WireTool>;
  /** Whether the set had the name when the step began. */
  readonly isKnown: (name: string) => boolean;
  /** Unwraps the input of a bridge tool, if the provider wraps it. */
  readonly bridgeInput?: ((name: string, input: string) => string) | undefined;
  /** The tool in the SDK's set that answers calls of tools that the set does not have. */
  readonly executor: string;
}

/** A call from the model. `input` is the object that the model wrote, or the text if it is no object. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly raw: RawInput;
}

/** A call as the SDK gets it: a tool of its set, an input, and the answer if the call is refused. */
export interface SdkCall extends Pick<Arrival, 'name' | 'expected' | 'decision'> {
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

  constructor(options: ArrivalOptions) {
    this.#options = options;
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
    const read = this.#withResolvedName(this.#options.turn.read(call));
    if (!read.envelope) return this.#translateBridge(call, read);
    const found = await this.#find(read, isFirst, announced);
    return isRefusal(found)
      ? this.#translateRefusal(call, read, found, announced)
      : this.#translateSubject(call, found);
  }

  /** Applies the `resolveToolCall` hooks if no tool has the name of the call. */
  #withResolvedName(read: ReadCall): ReadCall {
    const { turn, hooks } = this.#options;
    const target = read.envelope?.target;
    if (!read.envelope || target === undefined) return read;
    if (turn.lookUp(target) || turn.bridgeKind(target) !== undefined) return read;
    const resolved = hooks.resolve(target);
    if (resolved === undefined) return read;
    if (read.kind === undefined) return turn.read({ ...read, name: resolved });
    return { ...read, envelope: { ...read.envelope, target: resolved } };
  }

  /** Finds the tool that a call means, if it may be called in this step. */
  async #find(
    read: ReadCall,
    isFirst: boolean,
    announced: string | undefined,
  ): Promise<Subject | Refusal> {
    const { turn, offered, isKnown, set, signal } = this.#options;
    const target = read.envelope?.target;
    const entry = target === undefined ? undefined : turn.lookUp(target);
    // Checked before resolving, so that the answer does not reveal the schema of the tool.
    if (entry && isKnown(entry.name) && !offered.has(entry.name)) return notActive(entry.name);
    const late = isFirst ? undefined : this.#late(read, entry, announced);
    if (late) return late;
    const found = await resolveNow(turn, read, signal ? { signal } : {});
    if (isRefusal(found)) return found;
    const { name } = found;
    if (announced !== undefined && announced !== name) return namesTwoTools(announced);
    if (offered.has(name)) return found;
    if (isKnown(name)) return notActive(name);
    set.extend();
    return callAgain(name);
  }

  /**
   * The subject of a later call whose group has not loaded: its loader must not run before the earlier
   * call. Undefined if the call can be read in two ways, because then the schema is needed now.
   */
  #late(
    { id, envelope }: ReadCall,
    entry: Entry | undefined,
    announced: string | undefined,
  ): Subject | undefined {
    const { turn, offered } = this.#options;
    if (!envelope || envelope.problem !== undefined || envelope.target === undefined) return;
    const { given, beside, target } = envelope;
    if (given.kind === 'unusable' || Object.keys(beside).length > 0) return;
    const input = given.kind === 'object' ? given.value : {};
    if (!entry)
      return announced === undefined && turn.mayAppear(target)
        ? lateSubject(id, target, input)
        : undefined;
    if (turn.isReady(entry) || !offered.has(entry.name)) return;
    if (announced !== undefined && announced !== entry.name) return;
    return lateSubject(id, entry.name, input, entry);
  }

  async #translateSubject(call: WireCall, subject: Subject): Promise<SdkCall> {
    const { turn, signal, policy } = this.#options;
    const decision = await policy.arrive(subject, turn, signal);
    if (decision.kind !== 'allowed') {
      const isFinal = decision.kind === 'denied';
      return this.#refuse(call, subject, decision.refusal, isFinal);
    }
    const { subject: now, ask } = decision;
    // The SDK would not ask the user about this call.
    if (ask && !this.#canAskUser(now))
      return this.#refuse(call, now, approvalNeeded(now.name, NOT_ASKED), true);
    // The SDK applies the schema of an own tool itself.
    if (!now.entry || now.entry.own !== undefined) return this.#allow(now, ask, now.final);
    const shown = await this.#withFinalInput(now);
    return this.#allow(shown, ask, shown.input);
  }

  /** `expected`: the input that the SDK is expected to have when it executes the call. */
  #allow(subject: Subject, ask: boolean, expected: unknown): SdkCall {
    const digest = callDigest(subject.name, expected);
    const binding = this.#bindingOf(subject);
    const decision = { kind: 'allowed', subject, ask } as const;
    // The tool is not known yet. If the set cannot answer for its name, the executor does.
    const isNew = subject.isLate && !subject.entry;
    const sdkName = isNew ? nameForRefusal(subject.name, false, this.#options) : subject.name;
    const sdkCall = asSdkCall(sdkName, subject);
    const given = sdkName === subject.name ? expected : sdkCall.given;
    return { ...sdkCall, expected: inputText(given), digest, binding, decision };
  }

  /**
   * The call with the input that its tool will get, so that the messages show this input. Only if the
   * input is plain JSON and applying the schema again does not change it.
   */
  async #withFinalInput(subject: Subject): Promise<Subject> {
    const { id, name, input, final, isLate } = subject;
    const text = inputText(final);
    if (isLate || text === inputText(input)) return subject;
    const json = asJson(final);
    if (inputText(json) !== text) return subject;
    const again = await resolveNow(this.#options.turn, { id, name, input: json });
    return !isRefusal(again) && inputText(again.final) === text ? { ...again, final } : subject;
  }

  /** Translates a call of a tool beside Toolfold's. Only the app's hooks apply to it. */
  #translateForeign(call: WireCall): Promise<SdkCall> {
    const { offered, set } = this.#options;
    const { id, name, raw } = call;
    const tool = offered.get(name);
    const subject = plainSubject(id, name, raw.value);
    return this.#translateSubject(call, { ...subject, isForeign: !tool || !set.owns(tool) });
  }

  /** Translates a call of a bridge tool. A call with unreadable input, or of a bridge that was not offered, is refused at once. */
  async #translateBridge(call: WireCall, read: ReadCall): Promise<SdkCall> {
    const { turn, offered, bridgeInput } = this.#options;
    const { id, name: wireName, raw } = call;
    const name = turn.bridgeName(read.kind ?? 'load_tools');
    const text = bridgeInput?.(wireName, raw.raw) ?? raw.raw;
    const input = text === raw.raw ? read.input : anyInput(text);
    const isReadable = isRecord(input) || text.trim() === '';
    const given = isRecord(input) ? input : {};
    if (offered.has(name) && isReadable) {
      const subject = plainSubject(id, name, given);
      const decision = { kind: 'allowed' as const, subject, ask: false };
      return { name, given, expected: inputText(given), digest: callDigest(name, given), decision };
    }
    const refusal = offered.has(name)
      ? await turn.decide({ id, name: wireName, input })
      : notActive(wireName);
    const answer = refusal.kind === 'answer' ? refusal : notActive(wireName);
    return this.#refuse(call, plainSubject(id, name, wireInput(raw.raw, raw.value)), answer, false);
  }

  #translateRefusal(
    call: WireCall,
    read: ReadCall,
    refusal: Refusal,
    announced: string | undefined,
  ): SdkCall {
    const { turn, offered, invalid } = this.#options;
    const { envelope } = read;
    const named = announced ?? refusal.target ?? envelope?.target;
    const entry = named === undefined ? undefined : turn.lookUp(named);
    const name = announced ?? entry?.name ?? named ?? call.name;
    const given = envelope?.given.kind === 'object' ? envelope.given.value : undefined;
    const subject = plainSubject(
      call.id,
      name,
      refusal.input ?? given ?? wireInput(call.raw.raw, call.raw.value),
      entry,
    );
    const sdkCall = this.#refuse(call, subject, refusal, false);
    if (refusal.input === undefined || sdkCall.name !== name || !offered.has(name)) return sdkCall;
    // Have the SDK's validator refuse this input too, so that the app can repair it.
    invalid.keep(name, refusal.input, textOf(refusal));
    return sdkCall;
  }

  /** Translates a refused call into a well-formed call of the real tool. The tool then gives the refusal. */
  #refuse(call: WireCall, subject: Subject, refusal: Refusal, isFinal: boolean): SdkCall {
    const { turn, runner } = this.#options;
    const { id, name, input } = call;
    turn.report({ id, name, input }, refusal);
    runner.warnOf(refusal);
    const sdkName = nameForRefusal(subject.name, isFinal, this.#options);
    // A text that is not JSON stays unchanged: the SDK cannot read it either.
    const text = brokenText(call.raw);
    const sdkCall =
      text === undefined ? asSdkCall(sdkName, subject) : { name: sdkName, given: text };
    return {
      ...sdkCall,
      isBroken: text !== undefined,
      expected: inputText(sdkCall.given),
      digest: callDigest(sdkName, sdkCall.given),
      error: textOf(refusal),
      binding: this.#bindingOf(subject),
      decision: { kind: 'refused', refusal, isFinal },
    };
  }

  /** Whether the SDK will ask this view's policy, so that the user can be asked about the call. */
  #canAskUser({ name }: Subject): boolean {
    const { offered, set, policy } = this.#options;
    const tool = offered.get(name);
    if (!tool) return true;
    if (set.owns(tool) && set.runs(name)) return true;
    // The SDK asks the policy of another view about that view's tools. It may not know this decision.
    if (isMarked(tool) && !set.owns(tool)) return false;
    return !policy.isBypassed;
  }

  #bindingOf({ entry, name }: Subject): string | undefined {
    const { session, offered } = this.#options;
    return entry ? session.bindingOf(entry) : wireBinding(offered.get(name));
  }
}
