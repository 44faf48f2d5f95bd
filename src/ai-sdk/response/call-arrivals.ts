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
import { placeOf } from './refusal-place.ts';

export interface ArrivalOptions {
  readonly session: Session;
  readonly turn: Turn;
  readonly signal: AbortSignal | undefined;
  readonly hooks: Hooks;
  readonly policy: Policy;
  readonly runner: ToolRunner;
  readonly set: LiveSet;
  readonly invalid: InvalidInputs;
  /** What the SDK was given for this step, by name. */
  readonly offered: ReadonlyMap<string, WireTool>;
  /** Whether the set had a name when the step began. */
  readonly isKnown: (name: string) => boolean;
  /** The bridge tool's own input, where the provider wraps it. */
  readonly bridgeInput?: ((name: string, input: string) => string) | undefined;
  /** The tool of the SDK's set that answers for what the set has no tool for. */
  readonly executor: string;
}

/** A call from the model; `input` is the object it wrote, else its text. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly raw: RawInput;
}

/** What the SDK is told of a call: a tool of its set, an input, and our words should it fail. */
export interface SdkCall extends Pick<Arrival, 'name' | 'expected' | 'decision'> {
  /** The input, to be written as JSON. */
  readonly given: unknown;
  /** The input is a text that is no JSON, and stays as it is. */
  readonly isBroken?: boolean;
  readonly error?: string;
  readonly binding?: string | undefined;
  /** The call as the SDK is expected to have it in the end. */
  readonly about: string;
}

/** Decides what the SDK is told of each call of one response: resolved once, judged once. */
export class CallArrivals {
  readonly #options: ArrivalOptions;

  constructor(options: ArrivalOptions) {
    this.#options = options;
  }

  /** Tools the app added beside Toolfold's, and provider tools it runs itself. */
  isForeign(name: string): boolean {
    const { offered, isKnown } = this.#options;
    return offered.has(name) && (!isKnown(name) || !isMarked(offered.get(name)));
  }

  /** `announced` is the name the call's stream already began under. */
  async translate(
    call: WireCall,
    isFirst: boolean,
    announced: string | undefined,
  ): Promise<SdkCall> {
    if (this.isForeign(call.name)) return this.#translateForeign(call);
    const read = this.#meant(this.#options.turn.read(call));
    if (!read.envelope) return this.#translateBridge(call, read);
    const found = await this.#find(read, isFirst, announced);
    return isRefusal(found)
      ? this.#translateRefusal(call, read, found, announced)
      : this.#translateSubject(call, found);
  }

  /** The call as a hook reads it, where nothing has the name it uses. */
  #meant(read: ReadCall): ReadCall {
    const { turn, hooks } = this.#options;
    const target = read.envelope?.target;
    if (!read.envelope || target === undefined) return read;
    if (turn.lookUp(target) || turn.bridgeKind(target) !== undefined) return read;
    const meant = hooks.resolve(target);
    if (meant === undefined) return read;
    if (read.kind === undefined) return turn.read({ ...read, name: meant });
    return { ...read, envelope: { ...read.envelope, target: meant } };
  }

  /** The tool that a call means and can have in this step. */
  async #find(
    read: ReadCall,
    isFirst: boolean,
    announced: string | undefined,
  ): Promise<Subject | Refusal> {
    const { turn, offered, isKnown, set, signal } = this.#options;
    const target = read.envelope?.target;
    const entry = target === undefined ? undefined : turn.lookUp(target);
    // Not even its schema is told.
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
   * A call behind another one whose group has not loaded: its loader must not run ahead of the
   * earlier call. What could be read in two ways needs the schema now.
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
    // Nobody would ask the user about it.
    if (ask && !this.#isAskedOf(now))
      return this.#refuse(call, now, approvalNeeded(now.name, NOT_ASKED), true);
    // The SDK applies the schemas of the app's own tools once more.
    if (!now.entry || now.entry.own !== undefined) return this.#allow(now, ask, now.final);
    const shown = await this.#withFinalInput(now);
    return this.#allow(shown, ask, shown.input);
  }

  /** `expected`: the input that the SDK has in the end. */
  #allow(subject: Subject, ask: boolean, expected: unknown): SdkCall {
    const about = callDigest(subject.name, expected);
    const binding = this.#bindingOf(subject);
    const decision = { kind: 'allowed', subject, ask } as const;
    // Not known by this name yet: a set that cannot answer for it has the executor answer.
    const isNew = subject.isLate && !subject.entry;
    const place = isNew ? placeOf(subject.name, false, this.#options) : subject.name;
    const told = asSdkCall(place, subject);
    const given = place === subject.name ? expected : told.given;
    return { ...told, expected: inputText(given), about, binding, decision };
  }

  /**
   * The call with the input that its tool will get, for everybody to see: where that is plain JSON,
   * and stays what it is when the schema is applied once more.
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

  /** Only the app's hooks have a say in these. */
  #translateForeign(call: WireCall): Promise<SdkCall> {
    const { offered, set } = this.#options;
    const { id, name, raw } = call;
    const tool = offered.get(name);
    const subject = plainSubject(id, name, raw.value);
    return this.#translateSubject(call, { ...subject, isForeign: !tool || !set.owns(tool) });
  }

  /** Bridge tools run like others; only what cannot be read, or is not there, is answered at once. */
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
      return { name, given, expected: inputText(given), about: callDigest(name, given), decision };
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
    const told = this.#refuse(call, subject, refusal, false);
    if (refusal.input === undefined || told.name !== name || !offered.has(name)) return told;
    // The SDK's validator refuses this input too, and the app may repair it.
    invalid.keep(name, refusal.input, textOf(refusal));
    return told;
  }

  /** A call that does not run: a well-formed one of the real tool, which the tool then refuses. */
  #refuse(call: WireCall, subject: Subject, refusal: Refusal, isFinal: boolean): SdkCall {
    const { turn, runner } = this.#options;
    const { id, name, input } = call;
    turn.report({ id, name, input }, refusal);
    runner.warnOf(refusal);
    const place = placeOf(subject.name, isFinal, this.#options);
    // What is no JSON stays what the model wrote: the SDK cannot read it either.
    const text = brokenText(call.raw);
    const placed = text === undefined ? asSdkCall(place, subject) : { name: place, given: text };
    return {
      ...placed,
      isBroken: text !== undefined,
      expected: inputText(placed.given),
      about: callDigest(place, placed.given),
      error: textOf(refusal),
      binding: this.#bindingOf(subject),
      decision: { kind: 'refused', refusal, isFinal },
    };
  }

  /** Whether the user can be asked about a call where it is to be asked. */
  #isAskedOf({ name }: Subject): boolean {
    const { offered, set, policy } = this.#options;
    const tool = offered.get(name);
    if (!tool) return true;
    if (set.owns(tool) && set.runs(name)) return true;
    // A tool of another view's is asked about by that view's policy, which may not know of this one.
    if (isMarked(tool) && !set.owns(tool)) return false;
    return !policy.isBypassed;
  }

  #bindingOf({ entry, name }: Subject): string | undefined {
    const { session, offered } = this.#options;
    return entry ? session.bindingOf(entry) : wireBinding(offered.get(name));
  }
}
