import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import type { Incoming } from './incoming.ts';
import { notePart, type ResponseNote } from './note-part.ts';
import { EnvelopePeeler } from './peel.ts';

type InputStart = Extract<LanguageModelV4StreamPart, { type: 'tool-input-start' }>;
type InputEnd = Extract<LanguageModelV4StreamPart, { type: 'tool-input-end' }>;

/** A call whose input is streaming. */
interface Streaming {
  readonly start: InputStart;
  readonly peeler: EnvelopePeeler | undefined;
  readonly isFirst: boolean;
  /** The real tool's name, once its start has been passed on. */
  announced: string | undefined;
  /** Whether any of the input has been passed on. */
  begun: boolean;
  end: InputEnd | undefined;
}

/**
 * Shows the SDK calls of the real tools while they stream: the start as soon as the name is known,
 * then the arguments as they come; where that is not possible, everything at the end of the call.
 * Without `incoming` calls pass as they are.
 */
export function rewriteStream(
  incoming: Incoming | undefined,
  note: ResponseNote | undefined,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const calls = new Map<string, Streaming>();
  let noted = note === undefined;
  let begun = 0;

  function* start(incoming: Incoming, part: InputStart): Iterable<LanguageModelV4StreamPart> {
    const key = incoming.nameKey(part.toolName);
    const isFirst = begun++ === 0;
    const announced = key === undefined ? incoming.streamName(part.toolName, isFirst) : undefined;
    const peeler = key === undefined ? undefined : new EnvelopePeeler(key);
    calls.set(part.id, { start: part, peeler, isFirst, announced, begun: false, end: undefined });
    if (announced !== undefined) yield { ...part, toolName: announced };
  }

  function* delta(incoming: Incoming, call: Streaming, part: Extract<LanguageModelV4StreamPart, { type: 'tool-input-delta' }>): Iterable<LanguageModelV4StreamPart> {
    if (!call.peeler) {
      if (call.announced === undefined) return;
      call.begun = true;
      yield part;
      return;
    }
    for (const event of call.peeler.push(part.delta)) {
      if (event.type === 'name') {
        call.announced = incoming.announce(event.name, call.isFirst);
        if (call.announced !== undefined) yield { ...call.start, toolName: call.announced };
      } else if (call.announced !== undefined) {
        call.begun = true;
        yield { ...part, delta: event.text };
      }
    }
  }

  async function* finish(incoming: Incoming, part: LanguageModelV4ToolCall): AsyncIterable<LanguageModelV4StreamPart> {
    const call = calls.get(part.toolCallId);
    calls.delete(part.toolCallId);
    const rewritten = await incoming.rewrite(part, call?.announced);
    if (call && call.announced === undefined) yield { ...call.start, toolName: rewritten.toolName };
    if (call && !call.begun) {
      yield { type: 'tool-input-delta', id: part.toolCallId, delta: rewritten.input };
      yield call.end ?? { type: 'tool-input-end', id: part.toolCallId };
    }
    yield rewritten;
  }

  return new TransformStream({
    async transform(part, controller) {
      if (!noted && part.type !== 'stream-start' && note) {
        noted = true;
        controller.enqueue(notePart(note));
      }
      const call = 'id' in part ? calls.get(String(part.id)) : undefined;
      if (incoming && part.type === 'tool-input-start' && !part.providerExecuted) {
        for (const out of start(incoming, part)) controller.enqueue(out);
      } else if (incoming && call && part.type === 'tool-input-delta') {
        for (const out of delta(incoming, call, part)) controller.enqueue(out);
      } else if (call && part.type === 'tool-input-end') {
        if (call.begun) controller.enqueue(part);
        else call.end = part;
      } else if (incoming && part.type === 'tool-call') {
        for await (const out of finish(incoming, part)) controller.enqueue(out);
      } else {
        controller.enqueue(part);
      }
    },
  });
}
