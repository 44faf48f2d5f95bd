import { parsedJson } from '@toolfold/core/internal/values';
import { notePart, type ResponseNote } from '../messages/index.ts';
import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '../protocol/index.ts';
import type { ResponseCalls } from './incoming.ts';

type StreamPart = LanguageModelV4StreamPart;
type InputStart = Extract<StreamPart, { type: 'tool-input-start' }>;
type InputDelta = Extract<StreamPart, { type: 'tool-input-delta' }>;
type InputEnd = Extract<StreamPart, { type: 'tool-input-end' }>;

/** A call whose input is streaming. */
interface StreamingCall {
  readonly start: InputStart;
  readonly peeler: EnvelopePeeler | undefined;
  /** This is the first call of the response. */
  readonly isFirst: boolean;
  /** The name of the real tool, after the start part has been emitted. */
  announced: string | undefined;
  /** Whether a part of the input has been emitted. */
  hasInput: boolean;
  end: InputEnd | undefined;
}

/**
 * Rewrites the parts of one response: emits the note first, then the parts, with calls of the real tools.
 * The caller aborts `incoming` if the response does not end.
 */
export async function* rewriteParts(
  parts: AsyncIterable<StreamPart>,
  incoming: ResponseCalls | undefined,
  note: ResponseNote | undefined,
): AsyncGenerator<StreamPart> {
  const calls = incoming && new StreamingCalls(incoming);
  let pendingNote = note;
  for await (const part of parts) {
    if (pendingNote && part.type !== 'stream-start') {
      yield notePart(pendingNote);
      pendingNote = undefined;
    }
    const isOfCall =
      part.type === 'tool-call' ||
      part.type === 'tool-input-start' ||
      part.type === 'tool-input-delta' ||
      part.type === 'tool-input-end';
    if (calls && isOfCall) yield* calls.rewrite(part);
    else yield part;
  }
}

/** A part of a call of a tool. */
type CallStreamPart = InputStart | InputDelta | InputEnd | LanguageModelV4ToolCall;

/**
 * Streams calls of the real tools to the SDK: the start as soon as the name is known, then the
 * arguments as they arrive. If that is not possible, it emits all parts at the end of the call.
 */
class StreamingCalls {
  readonly #incoming: ResponseCalls;
  readonly #calls = new Map<string, StreamingCall>();
  #started = 0;

  constructor(incoming: ResponseCalls) {
    this.#incoming = incoming;
  }

  async *rewrite(part: CallStreamPart): AsyncIterable<StreamPart> {
    switch (part.type) {
      case 'tool-input-start':
        if (part.providerExecuted) yield part;
        else yield* this.#start(part);
        return;
      case 'tool-input-delta': {
        const call = this.#calls.get(part.id);
        if (call) yield* this.#delta(call, part);
        else yield part;
        return;
      }
      case 'tool-input-end': {
        const call = this.#calls.get(part.id);
        if (call && !call.hasInput) call.end = part;
        else yield part;
        return;
      }
      case 'tool-call':
        yield* this.#finish(part);
    }
  }

  *#start(given: InputStart): Iterable<StreamPart> {
    const part = { ...given, toolName: this.#incoming.nameOf(given.toolName) };
    const isFirst = this.#started++ === 0;
    if (this.#incoming.isInside(part.id, part.toolName)) return yield* this.#startInside(part);
    const key = this.#incoming.nameKey(part.toolName);
    const announced =
      key === undefined ? this.#incoming.streamName(part.toolName, isFirst) : undefined;
    const peeler = key === undefined ? undefined : new EnvelopePeeler(key);
    const call = { start: part, peeler, isFirst, announced, hasInput: false, end: undefined };
    this.#calls.set(part.id, call);
    if (announced !== undefined) yield { ...part, toolName: announced };
  }

  /** The start of a call that is answered inside the model call. */
  *#startInside(part: InputStart): Iterable<StreamPart> {
    const flags = this.#incoming.inside.flagsOf(part.toolName);
    const start = { ...part, ...flags };
    const announced = flags.toolName;
    const call = { start, peeler: undefined, isFirst: false, announced };
    this.#calls.set(part.id, { ...call, hasInput: false, end: undefined });
    yield start;
  }

  *#delta(call: StreamingCall, part: InputDelta): Iterable<StreamPart> {
    const events = call.peeler
      ? call.peeler.push(part.delta)
      : [{ type: 'arguments' as const, text: part.delta }];
    for (const event of events) {
      if (event.type === 'name') {
        call.announced = this.#incoming.announce(event.name, call.isFirst);
        if (call.announced !== undefined) yield { ...call.start, toolName: call.announced };
      } else if (call.announced !== undefined) {
        call.hasInput = true;
        yield { ...part, delta: event.text };
      }
    }
  }

  async *#finish(part: LanguageModelV4ToolCall): AsyncIterable<StreamPart> {
    const call = this.#calls.get(part.toolCallId);
    this.#calls.delete(part.toolCallId);
    const rewritten = await this.#incoming.rewrite(part, call?.announced);
    const { toolName, providerExecuted, dynamic } = rewritten;
    const flags = { ...(providerExecuted && { providerExecuted }), ...(dynamic && { dynamic }) };
    if (call && call.announced === undefined) yield { ...call.start, toolName, ...flags };
    if (call && !call.hasInput) {
      const { id } = call.start;
      yield { type: 'tool-input-delta', id, delta: rewritten.input };
      yield { type: 'tool-input-end', ...call.end, id };
    }
    yield rewritten;
  }
}

/** A part of an envelope that has become known while the envelope streams. */
type PeelEvent =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'arguments'; readonly text: string };

type ParserState =
  | 'open'
  | 'key'
  | 'colon'
  | 'name'
  | 'comma'
  | 'value'
  | 'object'
  | 'done'
  | 'opaque';

/**
 * Reads `{"tool_name": "…", "arguments": {…}}` from deltas of any length. It emits the name when the
 * name is complete, then the text of the arguments object as it arrives. For any other order or form
 * it emits no more events: the caller parses the whole text at the end.
 */
export class EnvelopePeeler {
  readonly #nameKey: string;
  #step: ParserState = 'open';
  #text = '';
  #named = false;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(nameKey: string) {
    this.#nameKey = nameKey;
  }

  push(delta: string): PeelEvent[] {
    const events: PeelEvent[] = [];
    let from = 0;
    for (let at = 0; at < delta.length; at++) {
      if (this.#step === 'done' || this.#step === 'opaque') break;
      if (this.#step === 'object') {
        if (this.#depth === 0) from = at;
        if (!this.#closes(delta.charAt(at))) continue;
        events.push({ type: 'arguments', text: delta.slice(from, at + 1) });
        this.#step = 'done';
        return events;
      }
      const name = this.#read(delta.charAt(at));
      if (name !== undefined) events.push({ type: 'name', name });
      // The opening brace is part of the arguments: read it again.
      if (this.#inObject()) at--;
    }
    if (this.#inObject() && this.#depth > 0) {
      events.push({ type: 'arguments', text: delta.slice(from) });
    }
    return events;
  }

  #inObject(): boolean {
    return this.#step === 'object';
  }

  /** Reads one character before the arguments. Returns the name of the tool when it is complete. */
  #read(char: string): string | undefined {
    const quoting = this.#step === 'key' || this.#step === 'name';
    if (this.#text === '' && /\s/.test(char)) return;
    if (quoting) return this.#readString(char);
    const next: Partial<Record<ParserState, [string, ParserState]>> = {
      open: ['{', 'key'],
      colon: [':', this.#named ? 'value' : 'name'],
      comma: [',', 'key'],
      value: ['{', 'object'],
    };
    const [expected, step] = next[this.#step] ?? ['', 'opaque' as const];
    this.#step = char === expected ? step : 'opaque';
    return;
  }

  #readString(char: string): string | undefined {
    if (this.#text === '' && char !== '"') {
      this.#step = 'opaque';
      return;
    }
    this.#text += char;
    if (this.#escaped) {
      this.#escaped = false;
      return;
    }
    this.#escaped = char === '\\';
    if (this.#text.length === 1 || char !== '"') return;
    const read = parsedJson(this.#text);
    const value = typeof read === 'string' ? read : undefined;
    this.#text = '';
    if (this.#step === 'name') {
      this.#named = true;
      this.#step = value === undefined || value.trim() === '' ? 'opaque' : 'comma';
      return this.#step === 'comma' ? value?.trim() : undefined;
    }
    const expected = this.#named ? 'arguments' : this.#nameKey;
    this.#step = value === expected ? 'colon' : 'opaque';
    return;
  }

  /** Counts brackets outside strings. Returns true at the bracket that closes the object. */
  #closes(char: string): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inString = false;
      return false;
    }
    if (char === '"') this.#inString = true;
    else if (char === '{' || char === '[') this.#depth++;
    else if (char === '}' || char === ']') this.#depth--;
    return this.#depth === 0;
  }
}
