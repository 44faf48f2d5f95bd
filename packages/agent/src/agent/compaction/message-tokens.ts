import { isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/metadata';
import { readStamp } from '@toolfold/core/internal/host';
import { estimateTokens, fileTokens } from '@toolfold/core/internal/tools/tokens';
import { ownProperties, ownProperty } from '@toolfold/core/internal/tools/values';
import type { ModelMessage } from 'ai';
import type { Part } from '../state/index.ts';
import { textOfOutput } from './output-text.ts';

/**
 * The estimated tokens of messages as they are sent, with the notices that their notes repeat. `longest`: the
 * characters of a result that the model sees. No limit if left out.
 */
export function messagesTokens(messages: readonly ModelMessage[], longest?: number): number {
  return messages.reduce((sum, message) => {
    if (typeof message.content === 'string') return sum + estimateTokens(message.content);
    return message.content.reduce((all, part) => all + partTokens(part, longest), sum);
  }, 0);
}

/** The estimated tokens of a part of a message; see `messagesTokens`. */
export function partTokens(part: Part, longest: number | undefined): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateTokens(part.text);
    case 'image':
    case 'file':
    case 'reasoning-file':
      return tokensOfFile(part);
    case 'tool-call': {
      const stamp = readStamp(part.providerOptions);
      return (
        estimateTokens(stamp?.n ?? part.toolName) + estimateTokens(stamp?.r ?? jsonOf(part.input))
      );
    }
    case 'tool-result': {
      const files = part.output.type === 'content' ? part.output.value : [];
      const others = files.filter(({ type }) => type !== 'text' && type !== 'custom');
      const texts = estimateTokens(textOfOutput(part.output).slice(0, longest));
      return others.reduce((sum, file) => sum + tokensOfFile(file), texts);
    }
    case 'custom': {
      const notices = isNotePart(part)
        ? (readResponseNote(part.providerOptions)?.inserts ?? [])
        : [];
      return notices.reduce((sum, text) => sum + estimateTokens(text), 0);
    }
    default:
      return 0;
  }
}

/** The tokens of a file as a model reads it. One that its provider does not take costs less. */
function tokensOfFile(part: object): number {
  const { mediaType, data: given } = ownProperties(part);
  const data = ownProperty(given, 'data') ?? given;
  const isKnown = typeof data === 'string' || data instanceof Uint8Array;
  return fileTokens(String(mediaType), isKnown ? data : undefined);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
