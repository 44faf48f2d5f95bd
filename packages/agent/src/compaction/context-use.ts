import { isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/messages';
import { readStamp } from '@toolfold/core/internal/host';
import { estimateTokens } from '@toolfold/core/internal/tool';
import { fileTokens, ownProperties, ownProperty } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import type { MessagePart } from '../state/index.ts';
import { textOfOutput } from './digest.ts';

/** Tokens that stay free in a model's context window: for its answer, and for the request of a summary. */
export const RESERVE = 16_384;

/** Knows how much of a model's context window a conversation uses. */
export class ContextUse {
  readonly #longest: number | undefined;
  /** What the provider has counted, and the number of messages that these tokens are for. */
  #counted: { readonly tokens: number; readonly messages: number } | undefined;

  /** `longest`: see `messagesTokens`. */
  constructor(longest?: number) {
    this.#longest = longest;
  }

  /**
   * Takes the provider's count of one request with its answer. `messages`: the number of messages with
   * the answer.
   */
  answered(tokens: { readonly input: number; readonly output: number }, messages: number): void {
    // Some servers report nothing.
    if (tokens.input > 0) this.#counted = { tokens: tokens.input + tokens.output, messages };
  }

  /** The messages were replaced: no count is valid any more. */
  reset(): void {
    this.#counted = undefined;
  }

  /**
   * The tokens of the next request: what the provider has counted, and an estimate for the messages since
   * then. `others` estimates what a request holds beside messages, if nothing was counted yet.
   */
  tokens(messages: readonly ModelMessage[], others: () => number): number {
    const counted = this.#counted;
    const isKnown = counted !== undefined && counted.messages <= messages.length;
    const rest = isKnown ? messages.slice(counted.messages) : messages;
    const before = isKnown ? counted.tokens : others();
    return before + messagesTokens(rest, this.#longest);
  }
}

/** The tokens of a context window that a request may use. Of a small window, half stays free. */
export function roomIn(window: number): number {
  return window - Math.min(RESERVE, window / 2);
}

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
export function partTokens(part: MessagePart, longest: number | undefined): number {
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
