import type { ModelMessage } from 'ai';
import { estimateTokens } from '../../tools/tokens/index.ts';
import { messageTokens } from './message-tokens.ts';

interface Counted {
  readonly tokens: number;
  /** The number of messages that these tokens are for. */
  readonly messages: number;
}

/** Knows how much of a model's context window a conversation uses. */
export class ContextUse {
  readonly #longest: number;
  #counted: Counted | undefined;

  /** `longest`: the characters of a result that the model sees. */
  constructor(longest: number = Number.POSITIVE_INFINITY) {
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
    const tokensOf = (message: ModelMessage) =>
      messageTokens(message, estimateTokens, this.#longest);
    return rest.reduce((sum, message) => sum + tokensOf(message), before);
  }
}
