import { isNotePart, type ResponseNote, readResponseNote } from '../../metadata/index.ts';
import type { LanguageModelV4Message, LanguageModelV4ToolCallPart } from '../../protocol/index.ts';
import type { SdkMessage } from './split-rounds.ts';
import { type WrittenCall, writtenCall } from './written-call.ts';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;

/** A call of an assistant message. */
export interface ReadCall {
  readonly part: LanguageModelV4ToolCallPart;
  /** What the model wrote; undefined for a call that Toolfold has not stamped. */
  readonly written: WrittenCall | undefined;
}

/** A message with what Toolfold needs of it. */
export interface ReadMessage<M extends SdkMessage = SdkMessage> {
  readonly message: M;
  /** The calls of an assistant message, in the order of their parts. */
  readonly calls: readonly ReadCall[];
  readonly notes: readonly ResponseNote[];
  /** The message has no calls, results or notes, so that it is sent as it is. */
  readonly isPlain: boolean;
}

const NONE: readonly never[] = [];

/** Reads messages once, for all that a request needs of them. Rounds inside model calls must have been split. */
export function readMessages<M extends SdkMessage>(messages: readonly M[]): ReadMessage<M>[] {
  return messages.map(readMessage);
}

/** Reads a message whose rounds have been split. */
export function readMessage<M extends SdkMessage>(message: M): ReadMessage<M> {
  const { role, content } = message;
  if (role !== 'assistant' || typeof content === 'string')
    return { message, calls: NONE, notes: NONE, isPlain: role !== 'tool' };
  let calls: ReadCall[] | undefined;
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
