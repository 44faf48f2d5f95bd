import { EnvelopePeeler } from '../../host/index.ts';
import { notePart, type ResponseNote } from '../metadata/index.ts';
import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '../protocol/index.ts';
import type { Incoming } from './incoming.ts';

type Part = LanguageModelV4StreamPart;
type InputStart = Extract<Part, { type: 'tool-input-start' }>;
type InputDelta = Extract<Part, { type: 'tool-input-delta' }>;
type InputEnd = Extract<Part, { type: 'tool-input-end' }>;

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

/** Rewrites the stream of a response: emits the note first, then the parts, with calls of the real tools. */
export function rewriteStream(
  incoming: Incoming | undefined,
  note: ResponseNote | undefined,
): TransformStream<Part, Part> {
  const calls = incoming && new StreamingCalls(incoming);
  let pendingNote = note;
  // `cancel` is missing in the type. It is called when the reader cancels and when the response fails.
  const transformer: Transformer<Part, Part> & { cancel: () => void } = {
    async transform(part, controller) {
      if (pendingNote && part.type !== 'stream-start') {
        controller.enqueue(notePart(pendingNote));
        pendingNote = undefined;
      }
      if (!calls) return controller.enqueue(part);
      for await (const out of calls.rewrite(part)) controller.enqueue(out);
    },
    cancel: () => incoming?.abort(),
  };
  return new TransformStream(transformer);
}

/**
 * Streams calls of the real tools to the SDK: the start as soon as the name is known, then the
 * arguments as they arrive. If that is not possible, it emits all parts at the end of the call.
 */
class StreamingCalls {
  readonly #incoming: Incoming;
  readonly #calls = new Map<string, StreamingCall>();
  #started = 0;

  constructor(incoming: Incoming) {
    this.#incoming = incoming;
  }

  async *rewrite(part: Part): AsyncIterable<Part> {
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
        return;
      default:
        yield part;
    }
  }

  *#start(part: InputStart): Iterable<Part> {
    const isFirst = this.#started++ === 0;
    const key = this.#incoming.nameKey(part.toolName);
    const announced =
      key === undefined ? this.#incoming.streamName(part.toolName, isFirst) : undefined;
    const peeler = key === undefined ? undefined : new EnvelopePeeler(key);
    this.#calls.set(part.id, {
      start: part,
      peeler,
      isFirst,
      announced,
      hasInput: false,
      end: undefined,
    });
    if (announced !== undefined) yield { ...part, toolName: announced };
  }

  *#delta(call: StreamingCall, part: InputDelta): Iterable<Part> {
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

  async *#finish(part: LanguageModelV4ToolCall): AsyncIterable<Part> {
    const call = this.#calls.get(part.toolCallId);
    this.#calls.delete(part.toolCallId);
    const rewritten = await this.#incoming.rewrite(part, call?.announced);
    if (call && call.announced === undefined) yield { ...call.start, toolName: rewritten.toolName };
    if (call && !call.hasInput) {
      yield { type: 'tool-input-delta', id: part.toolCallId, delta: rewritten.input };
      yield call.end ?? { type: 'tool-input-end', id: part.toolCallId };
    }
    yield rewritten;
  }
}
