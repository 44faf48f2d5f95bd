import { anyInput } from '../metadata/index.ts';
import type { LanguageModelV4Content, LanguageModelV4Message } from '../protocol/index.ts';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type Part = AssistantMessage['content'][number];

/** The content of responses as the message that the SDK makes of it in its next prompt. */
export function assistantMessage(content: readonly LanguageModelV4Content[]): AssistantMessage {
  return { role: 'assistant', content: content.flatMap((part) => partOf(part) ?? []) };
}

function partOf(part: LanguageModelV4Content): Part | undefined {
  const options = part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
  switch (part.type) {
    case 'text':
      if (part.text === '' && !part.providerMetadata) return;
      return { type: 'text', text: part.text, ...options };
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ...options };
    case 'custom':
      return { type: 'custom', kind: part.kind, ...options };
    case 'file':
    case 'reasoning-file':
      return { type: part.type, data: part.data, mediaType: part.mediaType, ...options } as Part;
    case 'tool-call': {
      const { toolCallId, toolName, providerExecuted } = part;
      const common = { type: part.type, toolCallId, toolName, input: anyInput(part.input) };
      return { ...common, ...(providerExecuted ? { providerExecuted } : {}), ...options };
    }
    case 'tool-result': {
      const { toolCallId, toolName, result, isError } = part;
      const isText = typeof result === 'string';
      const type = isError ? 'error-json' : isText ? 'text' : 'json';
      const output = { type, value: result } as Extract<Part, { type: 'tool-result' }>['output'];
      return { type: part.type, toolCallId, toolName, output, ...options };
    }
    default:
      // Sources and questions about approvals are not part of a prompt.
      return;
  }
}
