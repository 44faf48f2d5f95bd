import { type Kinds, restored } from '@toolfold/agent/internal/entries';
import { NOTHING_SPENT, plus, type Spending, withUsage } from '@toolfold/agent/internal/events';
import type { Agent, AskOptions, QuickAnswer } from '@toolfold/agent/internal/options';
import type { Entry } from '@toolfold/agent/internal/sessions';

/** A question that was asked outside the conversation. */
export interface QuickQuestion {
  /** The id of its entry. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly question: string;
  /** Absent if it was cancelled, or failed. */
  readonly answer?: string;
  /** Whether the model has seen what was said. */
  readonly conversation: boolean;
  readonly usage: Kinds['quick']['usage'];
}

interface QuickOptions {
  /** Those of the session, as far as they are known. */
  readonly entries: () => readonly Entry[];
  readonly agent: () => Promise<Agent>;
  readonly onChange: () => void;
}

/** Questions outside the conversation of a session. They follow from its entries, each of which is read once. */
export class QuickQuestions {
  readonly #options: QuickOptions;
  #count = 0;
  #last: string | undefined;
  #asked: readonly QuickQuestion[] = [];
  #spent: Spending = NOTHING_SPENT;

  constructor(options: QuickOptions) {
    this.#options = options;
  }

  /** Asks, also while a turn is running. See `Agent.ask`. */
  async ask(
    text: string,
    signal: AbortSignal,
    options: Pick<AskOptions, 'conversation'> = {},
  ): Promise<QuickAnswer> {
    const agent = await this.#options.agent();
    try {
      return await agent.ask(text, { signal, ...options });
    } finally {
      this.#options.onChange();
    }
  }

  /** Those that the session has, in order. */
  get asked(): readonly QuickQuestion[] {
    this.#read();
    return this.#asked;
  }

  /** What they have cost, and what was spent besides. */
  spentWith(besides: Spending = NOTHING_SPENT): Spending {
    this.#read();
    return plus(this.#spent, besides);
  }

  #read(): void {
    const entries = this.#options.entries();
    if (entries[this.#count - 1]?.id !== this.#last) {
      this.#count = 0;
      this.#asked = [];
      this.#spent = NOTHING_SPENT;
    }
    for (const { kind, body, id, at } of entries.slice(this.#count)) {
      if (kind !== 'quick') continue;
      const quick = restored(body) as Kinds['quick'];
      this.#asked = [...this.#asked, { id, at, ...quick }];
      this.#spent = withUsage(this.#spent, { type: 'usage', ...quick.usage });
    }
    this.#count = entries.length;
    this.#last = entries.at(-1)?.id;
  }
}
