import type { ModelMessage } from 'ai';
import { readInput, readStamp } from '../../host/index.ts';
import type {
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from '../../tools/transcript/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import { isNotePart, type ResponseNote, readNote } from '../metadata/index.ts';
import { searchArguments } from '../native/index.ts';
import type { LanguageModelV4Message } from '../protocol/index.ts';

/** A message in the form for providers, or in the form that the SDK passes to tools. */
type SdkMessage = LanguageModelV4Message | ModelMessage;
type AssistantMessage = Extract<SdkMessage, { role: 'assistant' }>;
type Output = { readonly type: string; readonly value?: unknown };

/** Converts messages to a transcript. Each position in it is the index of the message. */
export function toTranscript(messages: readonly SdkMessage[]): TranscriptMessage[] {
  return messages.map((message): TranscriptMessage => {
    if (message.role === 'assistant') {
      return { role: 'assistant', calls: callsIn(message), notes: notesIn(message) };
    }
    if (message.role !== 'tool') return { role: message.role };
    const results = message.content.flatMap((part): TranscriptResult[] => {
      if (part.type !== 'tool-result') return [];
      return [
        { id: part.toolCallId, output: readOutput(part.output), isError: isError(part.output) },
      ];
    });
    return { role: 'tool', results };
  });
}

function callsIn({ content }: AssistantMessage): TranscriptCall[] {
  if (typeof content === 'string') return [];
  const calls = content.flatMap((part) => {
    if (part.type !== 'tool-call' || part.providerExecuted) return [];
    const stamp = readStamp(part.providerOptions);
    const id = part.toolCallId;
    const call: TranscriptCall = stamp
      ? { id, name: stamp.n, input: bridgeArguments(stamp.n, readInput(stamp.r)) }
      : { id, name: part.toolName, input: part.input };
    return [{ call, order: stamp?.o ?? 0 }];
  });
  // In the order in which the model wrote them. UI messages do not keep this order.
  return calls.sort((a, b) => a.order - b.order).map(({ call }) => call);
}

/** Unwraps the arguments of a search call, so that equal calls have equal arguments: the wrapper contains a call id. */
function bridgeArguments(name: string, input: unknown): unknown {
  return searchArguments(name, input) ?? input;
}

export function notesIn({ content }: AssistantMessage): ResponseNote[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part) =>
    isNotePart(part) ? (readNote(part.providerOptions) ?? []) : [],
  );
}

function readOutput({ type, value }: Output): unknown {
  if (type !== 'text' && type !== 'error-text') return value;
  const read = readInput(String(value));
  return isRecord(read) ? read : value;
}

export function isError({ type }: Output): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied';
}
