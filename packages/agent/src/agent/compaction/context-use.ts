import type { ModelMessage } from 'ai';
import { messagesTokens } from './message-tokens.ts';

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
