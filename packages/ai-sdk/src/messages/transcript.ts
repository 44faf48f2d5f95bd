import { KEY, readInput, readStamp, type Stamp, wireInput } from '@toolfold/core/internal/host';
import type { BridgeKind } from '@toolfold/core/internal/tool';
import {
  callSignature,
  copyState,
  emptyState,
  type PositionedCalls,
  type ReadingOptions,
  readMessage,
  type TranscriptCall,
  type TranscriptMessage,
  type TranscriptResult,
  type TranscriptState,
} from '@toolfold/core/internal/transcript';
import { isRecord, ownProperty, sameStart } from '@toolfold/core/internal/values';
import {
  type LanguageModelV4Message,
  type LanguageModelV4ToolCallPart,
  searchArguments,
} from '../protocol/index.ts';
import { anyInput } from './call-input.ts';
import { isNotePart, type ResponseNote, readResponseNote } from './notes.ts';
import { isErrorOutput, wellFormed } from './output.ts';
import { type SdkMessage, splitRounds } from './split-rounds.ts';

type ToolMessage = Extract<SdkMessage, { role: 'tool' }>;
type ResultPart = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;
type UntypedOutput = { readonly type: string; readonly value?: unknown };

/** The transcript of messages as the SDK has them. Each position in it is the index of a message. `isBridge`: see `splitRounds`. */
export function transcriptOf(
  messages: readonly SdkMessage[],
  isBridge: (name: string) => boolean,
): TranscriptMessage[] {
  return readMessages(splitRounds(messages, isBridge)).map(transcriptMessage);
}

/** What a message says about tools. */
export function transcriptMessage({
  message,
  calls,
  notes,
  isPlain,
}: ReadMessage): TranscriptMessage {
  if (isPlain) return PLAIN[message.role];
  if (message.role === 'tool') return { role: 'tool', results: resultsIn(message) };
  return { role: 'assistant', calls: transcriptCalls(calls), notes };
}

/** Messages that say nothing about tools. */
const PLAIN: Readonly<Record<SdkMessage['role'], TranscriptMessage>> = {
  system: { role: 'system' },
  user: { role: 'user' },
  assistant: { role: 'assistant' },
  tool: { role: 'tool', results: [] },
};

/** The calls in the order in which the model wrote them. UI messages do not keep this order. */
function transcriptCalls(calls: readonly AssistantCall[]): readonly TranscriptCall[] {
  if (calls.length === 0) return calls as readonly never[];
  const orderOf = ({ written }: AssistantCall) => written?.stamp.o ?? 0;
  return calls
    .filter(({ part }) => !part.providerExecuted)
    .sort((a, b) => orderOf(a) - orderOf(b))
    .map((call) => new CallOfPart(call));
}

/** A call in a transcript. Its input is read only if somebody asks: most conversations never compare inputs. */
class CallOfPart implements TranscriptCall {
  readonly id: string;
  readonly name: string;
  readonly #call: AssistantCall;

  constructor(call: AssistantCall) {
    this.#call = call;
    this.id = call.part.toolCallId;
    this.name = call.written?.stamp.n ?? call.part.toolName;
  }

  get input(): unknown {
    const { part, written } = this.#call;
    return written ? (written.searchArguments ?? written.input) : part.input;
  }

  get signature(): string {
    const { written } = this.#call;
    return written && written.searchArguments === undefined
      ? written.signature
      : callSignature(this.name, this.input);
  }
}

function resultsIn({ content }: ToolMessage): TranscriptResult[] {
  const results: TranscriptResult[] = [];
  for (const part of content) if (part.type === 'tool-result') results.push(new ResultOfPart(part));
  return results;
}

/** A result in a transcript. Its output is read only if somebody asks: only those of bridge tools say something. */
class ResultOfPart implements TranscriptResult {
  readonly id: string;
  readonly isError: boolean;
  readonly #output: UntypedOutput;

  constructor({ toolCallId, output }: ResultPart) {
    this.id = toolCallId;
    this.isError = isErrorOutput(output);
    this.#output = output;
  }

  get output(): unknown {
    const { type, value } = this.#output;
    if (type !== 'text' && type !== 'error-text') return value;
    const read = readInput(String(value));
    return isRecord(read) ? read : value;
  }
}

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;

/** A call of an assistant message. */
export interface AssistantCall {
  readonly part: LanguageModelV4ToolCallPart;
  /** What the model wrote; undefined for a call that Toolfold has not stamped. */
  readonly written: WrittenCall | undefined;
}

/** A message with what Toolfold needs of it. */
export interface ReadMessage<M extends SdkMessage = SdkMessage> {
  readonly message: M;
  /** The calls of an assistant message, in the order of their parts. */
  readonly calls: readonly AssistantCall[];
  readonly notes: readonly ResponseNote[];
  /** The message has no calls, results or notes, so that it is sent as it is. */
  readonly isPlain: boolean;
}

const NONE: readonly never[] = [];

/** Reads messages once, for all that a request needs of them. Rounds inside model calls must have been split. */
export function readMessages<M extends SdkMessage>(messages: readonly M[]): ReadMessage<M>[] {
  return messages.map(readSdkMessage);
}

/** Reads a message whose rounds have been split. */
export function readSdkMessage<M extends SdkMessage>(message: M): ReadMessage<M> {
  const { role, content } = message;
  if (role !== 'assistant' || typeof content === 'string')
    return { message, calls: NONE, notes: NONE, isPlain: role !== 'tool' };
  let calls: AssistantCall[] | undefined;
  let notes: ResponseNote[] | undefined;
  let isPlain = true;
  for (const part of content as AssistantMessage['content']) {
    if (part.type === 'tool-call') {
      calls ??= [];
      calls.push({ part, written: writtenCall(part.providerOptions) });
    } else if (isNotePart(part)) {
      const note = readResponseNote(part.providerOptions);
      notes ??= [];
      if (note) notes.push(note);
    } else if (part.type !== 'tool-result') continue;
    isPlain = false;
  }
  return { message, calls: calls ?? NONE, notes: notes ?? NONE, isPlain };
}

/** What the stamp of a call says that the model wrote. Each form is made when it is first needed. */
export class WrittenCall {
  readonly stamp: Stamp;
  #input: { readonly value: unknown } | undefined;
  #wireInput: Record<string, unknown> | undefined;
  #signature: string | undefined;

  constructor(stamp: Stamp) {
    this.stamp = stamp;
  }

  /** The input as the model meant it. */
  get input(): unknown {
    this.#input ??= { value: readInput(this.stamp.r) };
    return this.#input.value;
  }

  /** Equal for calls that are equal to the model. */
  get signature(): string {
    this.#signature ??= callSignature(this.stamp.n, this.input);
    return this.#signature;
  }

  /** The arguments of a call of a provider's search, without the wrapper that contains a call id. */
  get searchArguments(): unknown {
    return searchArguments(this.stamp.n, this.input);
  }

  /** The input in the form that providers take. `takesAny`: the provider's own tool takes any JSON. */
  wireInput(takesAny: boolean): unknown {
    if (takesAny) return wellFormed(anyInput(this.stamp.r));
    this.#wireInput ??= wellFormed(wireInput(this.stamp.r, this.input));
    return this.#wireInput;
  }
}

/** The fields of a stamp on a call. */
const FIELDS = ['n', 'r', 'o', 'e', 'c', 't', 'i', 'f', 'k'] as const;

interface StampedFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly written: WrittenCall;
}

const known = new WeakMap<object, StampedFields>();

/**
 * The call that the metadata of a call part describes; undefined without a valid stamp. It is kept with the
 * stamp: the SDK makes new parts for each request, but their metadata stays the same object. A stamp holds
 * the input as text, so nothing that a tool or an app does to the parsed input changes what is read here. A
 * stamp that was changed in place is read again.
 */
export function writtenCall(
  options: Readonly<Record<string, unknown>> | undefined,
): WrittenCall | undefined {
  const raw = ownProperty(options, KEY);
  if (!isRecord(raw)) return;
  const kept = known.get(raw);
  if (kept && FIELDS.every((key) => raw[key] === kept.fields[key])) return kept.written;
  const stamp = readStamp(options);
  if (!stamp) return;
  const written = new WrittenCall(stamp);
  known.set(raw, { fields: { ...raw }, written });
  return written;
}

interface ReadTranscript {
  readonly messages: readonly TranscriptMessage[];
  /** What names meant. */
  readonly kinds: ReadonlyMap<string, BridgeKind>;
  readonly state: TranscriptState;
  /** Whoever goes on from here takes them. */
  readonly calls: PositionedCalls;
}

/**
 * What was read for the last request of a host whose messages never change. The next request of the conversation has
 * the same objects at its beginning, so only what is new is read.
 */
export class LastReading {
  #last: ReadTranscript | undefined;

  /** What the messages say. Nobody changes the list or the state. */
  readonly read: NonNullable<ReadingOptions['read']> = (messages, kinds) => {
    const last = this.#last;
    if (last?.messages === messages && last.kinds === kinds) return last.state;
    const known = last?.messages.length ?? 0;
    const isLonger = last?.kinds === kinds && sameStart(last.messages, messages) === known;
    const state = isLonger ? copyState(last.state) : emptyState();
    const calls: PositionedCalls = isLonger ? last.calls : new Map();
    this.#last = undefined;
    const from = isLonger ? known : 0;
    for (const [at, message] of messages.slice(from).entries())
      readMessage(state, calls, message, from + at, (name) => kinds.get(name));
    this.#last = { messages, kinds, state, calls };
    return state;
  };
}
