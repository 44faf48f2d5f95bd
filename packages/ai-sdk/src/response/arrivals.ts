import {
  numberLost,
  numberRounded,
  type ParsedCall,
  type ToolRequest,
} from '@toolfold/core/internal/calls';
import {
  asJson,
  type CallRecord,
  callDigest,
  denied,
  inputText,
  notActive,
  plainCall,
  type Refusal,
  type ResolvedCall,
  resolveCall,
  resolveNow,
  type Step,
  textOf,
  wireInput,
} from '@toolfold/core/internal/host';
import {
  inexactNumber,
  parsedJson,
  roundedNumber,
  withMarks,
} from '@toolfold/core/internal/values';
import {
  brokenText,
  inputUnder,
  type RawInput,
  readBridgeInput,
  wireBinding,
} from '../messages/index.ts';
import type { WireTool } from '../protocol/index.ts';
import { isAnswerable, isMarked, type SdkView } from '../tool-set/index.ts';

export interface ArrivalOptions {
  readonly view: SdkView;
  readonly turn: ToolRequest;
  readonly signal: AbortSignal | undefined;
  /** The tools that the SDK sent in this request, by name. */
  readonly offered: ReadonlyMap<string, WireTool>;
  /** Whether the set had the name when the step began. */
  readonly isKnown: (name: string) => boolean;
  /** Whether the provider passes on the arguments as the model wrote them. */
  readonly givesText: boolean;
  /** Unwraps the input of a bridge tool, if the provider wraps it. */
  readonly bridgeInput?: ((name: string, input: string) => string) | undefined;
}

/** A call from the model, with its input as it was read. */
export interface ReceivedCall extends RawInput {
  /** The id for the SDK. */
  readonly id: string;
  readonly name: string;
  /** The object that the model wrote, or the text if it is no object. */
  readonly input: unknown;
  /** Why the call does not run, if its input is not what the model wrote: a number may be another one, or levels are cut off. */
  readonly problem: string | undefined;
  /** The first call of the response. */
  readonly isFirst: boolean;
}

/** A call as the SDK gets it: a tool of its set, an input, and the refusal if the call is refused. */
interface Arrival {
  /** What is known of the call, with the name of the tool and the input that the SDK is expected to bring. */
  readonly record: CallRecord;
  /** The input before it is written as JSON. A text that is not JSON is passed on unchanged. */
  readonly given: unknown;
  readonly binding?: string | undefined;
  /** The digest of the call that the SDK is expected to execute. */
  readonly digest: string;
}

/** How a call is refused. */
interface Refusing {
  /** The SDK can deny the call of a tool that Toolfold does not run. */
  readonly isDenied?: boolean;
  readonly isRepairable?: boolean;
}

/** Translates the calls of one response for the SDK. Each call is resolved once and decided once. */
export class Arrivals implements Step {
  readonly turn: ToolRequest;
  readonly signal: AbortSignal | undefined;
  readonly offered: ReadonlyMap<string, WireTool>;
  readonly isKnown: (name: string) => boolean;
  readonly #options: ArrivalOptions;
  readonly #view: SdkView;

  constructor(options: ArrivalOptions) {
    this.turn = options.turn;
    this.signal = options.signal;
    this.offered = options.offered;
    this.isKnown = options.isKnown;
    this.#view = options.view;
    this.#options = options;
    options.view.unknown.begin();
  }

  /** Whether the app added the tool beside Toolfold's tools, or the tool is a provider's own. */
  isForeign(name: string): boolean {
    const tool = this.offered.get(name);
    return tool !== undefined && (!this.isKnown(name) || !isMarked(tool));
  }

  /** Whether the SDK will ask this view's policy, so that the user can be asked about the call. */
  canAsk({ name }: ResolvedCall): boolean {
    const tool = this.offered.get(name);
    if (!tool) return true;
    const isOurs = this.#view.marks.has(tool);
    if (isOurs && this.#view.set.runs(name)) return true;
    // The SDK asks the policy of another view about that view's tools. It may not know this decision.
    if (isMarked(tool) && !isOurs) return false;
    return !this.#view.life.isBypassed;
  }

  /** `announced`: the name under which the stream of the call has already begun. */
  async translate(call: ReceivedCall, announced: string | undefined): Promise<Arrival> {
    const { id, name, isFirst } = call;
    if (this.isForeign(name)) {
      // Only the app's hooks apply to a tool beside Toolfold's.
      const tool = this.offered.get(name);
      const isForeign = !tool || !this.#view.marks.has(tool);
      const resolved = { ...plainCall(id, name, call.value), isForeign };
      const lost = call.problem ?? inexactIn(call.raw);
      if (lost === undefined) return this.#decide(call, resolved);
      return this.#refuse(call, resolved, denied(name, lost), { isDenied: true });
    }
    const read = this.#read(call);
    const target = read.envelope?.target;
    if (target !== undefined && !this.offered.has(target)) this.#view.unknown.noteCall(target);
    if (!read.envelope) return this.#bridgeCall(call, read);
    const { hooks } = this.#view;
    const resolution = await resolveCall(this, read, { hooks, isFirst, announced });
    const { found } = resolution;
    if (found.kind === 'resolved') return this.#decide(call, found);
    this.#view.extend();
    return this.#unresolved(call, resolution.read, found, announced);
  }

  /** Asks the hooks about a resolved call, and gives it the input that the messages are to show. */
  async #decide(call: ReceivedCall, found: ResolvedCall): Promise<Arrival> {
    const record = this.#recordOf(call);
    await this.#view.life.arrive(record, found, this);
    const { refused, resolved = found } = record;
    if (refused) return this.#refuse(call, resolved, refused.refusal, refused);
    // The SDK applies the schema of an own tool itself.
    const isApplied = !resolved.entry || resolved.entry.appTool !== undefined;
    const { shown, expected, text } = isApplied
      ? { shown: resolved, expected: resolved.final, text: inputText(resolved.final) }
      : await this.#withFinalInput(resolved);
    const { name, input, final, isLate, entry } = shown;
    const digest = callDigest(name, expected, isLate ? expected : final, text);
    // The tool is not known yet. If the set cannot answer for its name, the executor does.
    const sdkName = isLate && !entry ? nameForRefusal(name, false, this.#options) : name;
    const given = inputUnder(sdkName, shown);
    record.resolved = shown;
    record.name = sdkName;
    record.expected = given === input ? text : inputText(given);
    return { record, given, digest, binding: this.#bindingOf(shown) };
  }

  /**
   * The call with the input that its tool will get, so that the messages show this input. Only if the
   * input is plain JSON and applying the schema again does not change it. `expected`: the input that the
   * SDK is expected to have when it asks for approval.
   */
  async #withFinalInput(
    resolved: ResolvedCall,
  ): Promise<{ shown: ResolvedCall; expected: unknown; text: string }> {
    const { id, name, input, final, isLate } = resolved;
    const text = inputText(input);
    const asWritten = { shown: resolved, expected: input, text };
    if (isLate || final === input) return asWritten;
    const finalText = inputText(final);
    if (finalText === text) return { ...asWritten, shown: { ...resolved, final: input } };
    const json = asJson(final);
    if (inputText(json) !== finalText) return asWritten;
    const again = await resolveNow(this.turn, { id, name, input: json });
    if (again.kind === 'answer' || inputText(again.final) !== finalText) return asWritten;
    const { repairs } = resolved;
    const shown = { ...again, final, ...(repairs ? { repairs } : {}) };
    return { shown, expected: again.input, text: finalText };
  }

  /** A call of a bridge tool. With unreadable input, or of a bridge that was not offered, it is refused at once. */
  async #bridgeCall(call: ReceivedCall, read: ParsedCall): Promise<Arrival> {
    const { id, name: wireName, raw, value } = call;
    const name = this.turn.bridgeName(read.kind ?? 'load_tools');
    const isOffered = this.offered.has(name);
    const input = readBridgeInput(call, this.#options.bridgeInput?.(wireName, raw));
    if (isOffered && input.isReadable) {
      const record = this.#recordOf(call);
      record.resolved = plainCall(id, name, input.given);
      return this.#arrived(record, name, input.given);
    }
    const asked = { id, name: wireName, input: input.read };
    const found = isOffered ? await this.turn.decide(asked) : undefined;
    const refusal = found?.kind === 'answer' ? found : notActive(wireName);
    return this.#refuse(call, plainCall(id, name, wireInput(raw, value)), refusal, {});
  }

  /** A call that has no tool, or whose arguments are invalid. */
  #unresolved(
    call: ReceivedCall,
    { envelope }: ParsedCall,
    refusal: Refusal,
    announced: string | undefined,
  ): Arrival {
    const target = announced ?? refusal.target ?? envelope?.target;
    const entry = target === undefined ? undefined : this.turn.lookUp(target);
    const name = announced ?? entry?.name ?? target ?? call.name;
    const written = envelope?.given.kind === 'object' ? envelope.given.value : undefined;
    // As the SDK will bring it: an input that differs is one that the app has repaired.
    const given = refusal.input ?? withMarks(written) ?? wireInput(call.raw, call.value);
    // What the model wrote is a text where a number in it is not exact.
    const input = typeof call.written === 'string' ? asJson(given) : given;
    const isBroken = brokenText(call) !== undefined;
    const isInvalid =
      isInvalidInput(refusal) &&
      this.offered.has(name) &&
      nameForRefusal(name, false, this.#options) === name;
    // Have the SDK's validator refuse this input too, so that the app can repair it.
    if (isInvalid && !isBroken) this.#view.invalid.keep(name, input, textOf(refusal));
    const isUnknown =
      isUnknownName(refusal) &&
      !this.offered.has(name) &&
      answersUnlisted(this.#options) &&
      isAnswerable(name);
    // Have the SDK find no tool, so that the app can repair the call.
    if (isUnknown && !isBroken) this.#view.unknown.keep(name, refusal);
    const isRepairable = isInvalid || isUnknown || isBroken;
    return this.#refuse(call, plainCall(call.id, name, input, entry), refusal, { isRepairable });
  }

  /** Translates a refused call into a well-formed call of the real tool. The tool then gives the refusal. */
  #refuse(
    call: ReceivedCall,
    resolved: ResolvedCall,
    refusal: Refusal,
    { isDenied = false, isRepairable = false }: Refusing,
  ): Arrival {
    this.turn.report(call, refusal);
    this.#view.warnOf(refusal);
    const name = nameForRefusal(resolved.name, isDenied, this.#options);
    const record = this.#recordOf(call);
    record.refused = { refusal, isDenied, isRepairable, isReported: true };
    // A text that is not JSON stays unchanged: the SDK cannot read it either.
    const given = brokenText(call) ?? inputUnder(name, resolved);
    return { ...this.#arrived(record, name, given), binding: this.#bindingOf(resolved) };
  }

  /** Reads a call. Its arguments are unusable if they are not what the model wrote. */
  #read(call: ReceivedCall): ParsedCall {
    const read = this.turn.read(call);
    const { envelope } = read;
    if (!envelope || call.problem === undefined) return read;
    return {
      ...read,
      envelope: { ...envelope, given: { kind: 'unusable', problem: call.problem } },
    };
  }

  #recordOf({ id, name: wireName }: ReceivedCall): CallRecord {
    const { turn, signal } = this;
    return { view: this.#view.life, id, name: wireName, wireName, turn, signal, expected: '' };
  }

  /** `given`: the input that the SDK gets, and is expected to bring. */
  #arrived(record: CallRecord, name: string, given: unknown): Arrival {
    record.name = name;
    record.expected = inputText(given);
    return { record, given, digest: callDigest(name, given, given, record.expected) };
  }

  #bindingOf({ entry, name }: ResolvedCall): string | undefined {
    return entry ? this.#view.session.bindingOf(entry) : wireBinding(this.offered.get(name));
  }
}

/** Whether a refusal says that the arguments are invalid, which the app may repair. */
function isInvalidInput({ result }: Refusal): boolean {
  return [result.error, result.cause].includes('invalid_arguments');
}

/** Whether a refusal says that no tool has the name. */
function isUnknownName({ result }: Refusal): boolean {
  return ['unknown_tool', 'ambiguous_tool', 'tool_removed'].some((error) =>
    [result.error, result.cause].includes(error),
  );
}

interface OfferedTools {
  readonly offered: ReadonlyMap<string, WireTool>;
  readonly view: SdkView;
  readonly isKnown: (name: string) => boolean;
}

/**
 * The name under which the SDK gets a call that must not run: its own name if the tool of this view
 * gives the refusal, else the name of the executor, which runs no tool. `isDenied`: the call stays
 * denied even if its name or input changes.
 */
export function nameForRefusal(name: string, isDenied: boolean, step: OfferedTools): string {
  const { offered, view } = step;
  const { set } = view;
  const { executor } = view.inputs;
  const fallback = offered.has(executor) ? executor : name;
  const tool = offered.get(name);
  if (tool) {
    const isOurs = view.marks.has(tool);
    if (isOurs && set.runs(name)) return name;
    // Toolfold can stop a tool that it does not run only in `toolApproval`, if the SDK uses that.
    const isStopped = isDenied && set.use() !== 'unknown' && (isOurs || !isMarked(tool));
    return isStopped ? name : fallback;
  }
  return answersUnlisted(step) && isAnswerable(name) ? name : fallback;
}

/** Whether the set answers for names that it does not list. A copy of the set does not: `activeTools` makes one. */
export function answersUnlisted(step: OfferedTools): boolean {
  return step.view.set.use() !== 'copy' && !isFiltered(step);
}

function isFiltered({ offered, view, isKnown }: OfferedTools): boolean {
  return Object.keys(view.set.tools).some((name) => isKnown(name) && !offered.has(name));
}

/**
 * Providers of the AI SDK that pass on the arguments of a call as the model wrote them, by the end of their names: the
 * formats of OpenAI have them as text. Google's have them as JSON, and Ollama parses and writes them.
 */
const AS_TEXT = /^(?!.*(?:google|vertex|ollama)).*\.(?:chat|responses)$/;
/** Providers that do so only in a stream. A whole answer has them as JSON, which the provider parses. */
const AS_STREAMED_TEXT = /(?:^|\.)anthropic\.messages$|\.anthropic$|^amazon-bedrock$/;

/** Whether a provider passes on the text of arguments. Of others it is not known. */
export function givesText(provider: string, isStreamed: boolean): boolean {
  return AS_TEXT.test(provider) || (isStreamed && AS_STREAMED_TEXT.test(provider));
}

/**
 * Why a call does not run whose input has a number that may have been another one, because a program has parsed and
 * written it before. A text that no program writes so is the model's own.
 */
export function roundedIn(input: string): string | undefined {
  const rounded = roundedNumber(input);
  if (rounded === undefined || JSON.stringify(parsedJson(input)) !== input) return;
  return numberRounded(rounded);
}

/** Why a call does not run whose tool gets only numbers, if these cannot hold one in the input. */
export function inexactIn(input: string): string | undefined {
  const inexact = inexactNumber(input);
  return inexact === undefined ? undefined : numberLost(inexact);
}
