import { type ModelIdentity, pricesOf } from '../models/index.ts';
import { estimateTokens } from '../tools/tokens.ts';
import type { AgentEvent } from './events.ts';

/** Tokens and money of some requests, tokens as the provider counts them. */
export interface Spending {
  readonly requests: number;
  /** All of the prompts, what came from a cache too. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Money, in the unit that prices were given in, of the requests whose price is known. */
  readonly cost: number;
  /** Requests whose price is not known. */
  readonly unpriced: number;
}

/** What a million tokens cost, in any one unit of money. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Read from the cache; left out, the table of `toolfold/models` says how it compares to `input`. */
  readonly cacheRead?: number;
  /** Written to the cache; left out, as above. */
  readonly cacheWrite?: number;
}

type Usage = Extract<AgentEvent, { type: 'usage' }>;

const NOTHING: Spending = {
  requests: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
};

/** Adds up what requests have cost. */
export class Ledger {
  #spent: Spending = NOTHING;

  get spent(): Spending {
    return this.#spent;
  }

  /** Counts the usage that an event tells of, a subagent's own or of one of its subagents. */
  take(event: AgentEvent): void {
    if (event.type === 'subagent') this.take(event.event);
    if (event.type !== 'usage') return;
    const { input, cacheRead, cacheWrite, output, cost } = event;
    const unpriced = cost === undefined ? 1 : 0;
    this.#spent = plus(this.#spent, {
      requests: 1,
      input,
      cacheRead,
      cacheWrite,
      output,
      cost: cost ?? 0,
      unpriced,
    });
  }
}

/** Both together. */
export function plus(one: Spending, other: Spending): Spending {
  const keys = Object.keys(NOTHING) as (keyof Spending)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as unknown as Spending;
}

/** Puts its price on each request of one model, and counts those that broke off before they said theirs. */
export class Meter {
  readonly #price: TokenPrice | undefined;
  readonly #caches: { readonly read: number; readonly write: number };
  /** Tokens of the request that is under way, and what has come of its answer. */
  #open: { input: number; text: string } | undefined;

  constructor(model: ModelIdentity, price: TokenPrice | undefined) {
    this.#price = price;
    this.#caches = pricesOf(model) ?? { read: 1, write: 1 };
  }

  /** The event as it is told. */
  priced(event: AgentEvent): AgentEvent {
    if (event.type === 'request') this.#open = { input: event.tokens.total, text: '' };
    if (this.#open && (event.type === 'text' || event.type === 'reasoning'))
      this.#open.text += event.text;
    if (event.type !== 'usage') return event;
    this.#open = undefined;
    return this.priceOf(event);
  }

  /** With its price, whatever request it is of. */
  priceOf(usage: Usage): Usage {
    const cost = this.#costOf(usage);
    return cost === undefined ? usage : { ...usage, cost };
  }

  /** What a request that was broken off is likely to be charged; undefined where none is open. */
  brokenOff(): AgentEvent | undefined {
    if (!this.#open) return;
    const { input, text } = this.#open;
    const counted = { input, cacheRead: 0, cacheWrite: 0, output: estimateTokens(text) };
    return this.priced({ type: 'usage', ...counted, isEstimate: true });
  }

  #costOf({ input, cacheRead, cacheWrite, output }: Usage): number | undefined {
    const price = this.#price;
    if (!price) return;
    const read = price.cacheRead ?? price.input * this.#caches.read;
    const write = price.cacheWrite ?? price.input * this.#caches.write;
    const plain = Math.max(0, input - cacheRead - cacheWrite);
    const perMillion =
      plain * price.input + cacheRead * read + cacheWrite * write + output * price.output;
    return perMillion / 1e6;
  }
}
