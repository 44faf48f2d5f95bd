import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type LanguageModel, wrapLanguageModel } from 'ai';
import { type ModelObject, resolveModel } from '../ai-sdk/resolve-model.ts';
import { type ModelIdentity, pricesOf } from '../models/index.ts';
import { estimateTokens } from '../tools/tokens.ts';
import type { AgentEvent } from './events.ts';
import { readUsage, type TokenUsage } from './usage.ts';

/** What a million tokens cost, in any one unit of money. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Read from the cache; left out, the table of `toolfold/models` says how it compares to `input`. */
  readonly cacheRead?: number;
  /** Written to the cache; left out, as above. */
  readonly cacheWrite?: number;
}

export type Usage = Extract<AgentEvent, { type: 'usage' }>;

/** Who is told of the answers of a model. */
export interface MeterOptions {
  /** What an answer has cost, as soon as it is complete: before its calls run. Must not throw. */
  readonly tell: (usage: Usage) => void;
  /** Characters that have come of the answer under way: text, thoughts and arguments. Must not throw. */
  readonly wrote?: ((characters: number) => void) | undefined;
}

/** A request under way: its tokens by our own count, and what has come of its answer. */
interface OpenRequest {
  readonly input: number;
  written: string;
}

/** Reads what the answers of one model cost, and counts by itself where nobody says. */
export class Meter {
  readonly #price: TokenPrice | undefined;
  readonly #caches: { readonly read: number; readonly write: number };
  #open: OpenRequest | undefined;

  constructor(model: ModelIdentity, price: TokenPrice | undefined) {
    this.#price = price;
    this.#caches = pricesOf(model) ?? { read: 1, write: 1 };
  }

  /** The model, with the meter in its stream. */
  watch(model: LanguageModel, options: MeterOptions): ModelObject {
    const middleware: LanguageModelV4Middleware = {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream, params }) => {
        this.#open ??= { input: estimateTokens(JSON.stringify(params.prompt)), written: '' };
        const result = await doStream();
        return { ...result, stream: result.stream.pipeThrough(this.#read(this.#open, options)) };
      },
    };
    return wrapLanguageModel({ model: resolveModel(model), middleware });
  }

  /** A request is sent, of so many tokens by our own count. */
  begin(tokens: number): void {
    this.#open = { input: tokens, written: '' };
  }

  /**
   * What a request that broke off is likely to be charged: one that failed only where its answer had
   * begun. `undefined` for nothing.
   */
  brokenOff(hasFailed: boolean): Usage | undefined {
    const open = this.#open;
    this.#open = undefined;
    return !open || (hasFailed && open.written === '') ? undefined : this.#estimated(open);
  }

  /** The usage with its price, whatever request it is of. */
  priced(usage: TokenUsage & Pick<Usage, 'isEstimate'>): Usage {
    const cost = this.#costOf(usage);
    return { type: 'usage', ...usage, ...(cost === undefined ? {} : { cost }) };
  }

  #read(
    open: OpenRequest,
    { tell, wrote }: MeterOptions,
  ): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
    const streamed = new Set<string>();
    return new TransformStream({
      transform: (part, controller) => {
        if (part.type === 'tool-input-start') streamed.add(part.id);
        const written = writtenIn(part, streamed);
        open.written += written;
        if (written !== '') wrote?.(open.written.length);
        if (part.type === 'finish') this.#finish(open, part, tell);
        controller.enqueue(part);
      },
    });
  }

  #finish(
    open: OpenRequest,
    { usage, finishReason }: Extract<LanguageModelV4StreamPart, { type: 'finish' }>,
    tell: MeterOptions['tell'],
  ): void {
    const said = readUsage(usage);
    const isSaid = said.input + said.output > 0;
    // It failed before it had answered anything: nothing to pay for, as far as anybody knows.
    if (!isSaid && finishReason.unified === 'error' && open.written === '') return;
    this.#open = undefined;
    // Many servers that speak a provider's format say nothing of usage, or only when asked to.
    tell(isSaid ? this.priced(said) : this.#estimated(open));
  }

  #estimated({ input, written }: OpenRequest): Usage {
    const counted = { input, cacheRead: 0, cacheWrite: 0, output: estimateTokens(written) };
    return this.priced({ ...counted, isEstimate: true });
  }

  #costOf({ input, cacheRead, cacheWrite, output }: TokenUsage): number | undefined {
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

/** What a model has written: arguments as they come, or with the call where they did not. */
function writtenIn(part: LanguageModelV4StreamPart, streamed: ReadonlySet<string>): string {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return part.delta;
    case 'tool-call':
      return streamed.has(part.toolCallId) ? '' : part.input;
    default:
      return '';
  }
}
