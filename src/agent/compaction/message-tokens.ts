import type { ModelMessage } from 'ai';
import { isNotePart, readResponseNote } from '../../ai-sdk/metadata/index.ts';
import { readStamp } from '../../host/index.ts';
import { estimateTokens } from '../../tools/tokens/index.ts';
import type { Part } from '../state/index.ts';
import { textOfOutput } from './output-text.ts';

/** Tokens of a file. Providers count images by their size, which is not known here. */
const FILE = 1_500;

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
      return FILE;
    case 'tool-call': {
      const stamp = readStamp(part.providerOptions);
      return (
        estimateTokens(stamp?.n ?? part.toolName) + estimateTokens(stamp?.r ?? jsonOf(part.input))
      );
    }
    case 'tool-result': {
      const files = part.output.type === 'content' ? part.output.value : [];
      const others = files.filter(({ type }) => type !== 'text' && type !== 'custom');
      return estimateTokens(textOfOutput(part.output).slice(0, longest)) + FILE * others.length;
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

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
