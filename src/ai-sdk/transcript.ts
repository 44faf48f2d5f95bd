import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import type { TranscriptCall, TranscriptMessage, TranscriptResult } from '../tools/transcript.ts';
import { isNotePart, type ResponseNote, readNote } from './note-part.ts';
import { readInput, readStamp } from './stamp.ts';

/** A prompt as Toolfold reads it; positions are those of the prompt. */
export function toTranscript(prompt: LanguageModelV4Prompt): TranscriptMessage[] {
  return prompt.map(toTranscriptMessage);
}

function toTranscriptMessage(message: LanguageModelV4Message): TranscriptMessage {
  if (message.role === 'assistant') {
    return { role: 'assistant', calls: callsIn(message), notes: notesIn(message) };
  }
  if (message.role !== 'tool') return { role: message.role };
  const results = message.content.flatMap((part): TranscriptResult[] => {
    if (part.type !== 'tool-result') return [];
    return [{ id: part.toolCallId, output: valueOf(part.output), isError: isError(part.output) }];
  });
  return { role: 'tool', results };
}

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;

function callsIn(message: AssistantMessage): TranscriptCall[] {
  return message.content.flatMap((part): TranscriptCall[] => {
    if (part.type !== 'tool-call' || part.providerExecuted) return [];
    const stamp = readStamp(part.providerOptions);
    const id = part.toolCallId;
    return stamp
      ? [{ id, name: stamp.n, input: readInput(stamp.r) }]
      : [{ id, name: part.toolName, input: part.input }];
  });
}

export function notesIn(message: AssistantMessage): ResponseNote[] {
  return message.content.flatMap((part) => (isNotePart(part) ? (readNote(part.providerOptions) ?? []) : []));
}

function valueOf(output: LanguageModelV4ToolResultOutput): unknown {
  if (output.type === 'json' || output.type === 'error-json') return output.value;
  if (output.type !== 'text' && output.type !== 'error-text') return;
  try {
    return JSON.parse(output.value);
  } catch {
    return output.value;
  }
}

export function isError(output: LanguageModelV4ToolResultOutput): boolean {
  return output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied';
}
