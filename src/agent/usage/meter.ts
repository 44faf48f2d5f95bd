import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { type LanguageModel, wrapLanguageModel } from 'ai';
import { type ModelObject, resolveModel } from '../../ai-sdk/model/index.ts';
import { countPrompt } from '../../ai-sdk/request/index.ts';
import { type ModelIdentity, pricesOf } from '../../models/index.ts';
import { estimateTokens } from '../../tools/tokens/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { readUsage, type TokenUsage } from './usage.ts';

/** What a million tokens cost, in any one unit of money. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Read from the cache; left out, the table of `toolfold/models` says how it compares to `input`. */
  readonly cacheRead?: number | undefined;
  /** Written to the cache; left out, as above. */
  readonly cacheWrite?: number | undefined;
}

export type Usage = Extract<AgentEvent, { type: 'usage' }>;

/** Who is told of the answers of a model. */
export interface MeterOptions {
  /** What an answer has cost, as soon as it is complete: before its calls run. Must not throw. */
  readonly tell: (usage: Usage) => void;
  /** Characters that have come of the answer under way: text, thoughts and arguments. Must not throw. */
  readonly wrote?: ((characters: number) => void) | undefined;
}

/** A request under way, and what has come of its answer. */
interface OpenRequest {
  isSent: boolean;
  /** Its tokens by our own count. */
  readonly input: () => number;
  written: string;
}

const NOTHING: TokenUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Reads what the answers of one model cost, and counts by itself where nobody says. */
export class Meter {
  readonly #price: TokenPrice | undefined;
  readonly #caches: { readonly read: number; readonly write: number };
  #open: OpenRequest | undefined;

  constructor(model: ModelIdentity, price: TokenPrice | undefined) {
    this.#price = price;
    this.#caches = pricesOf(model) ?? { read: 1, write: 1 };
  }

  /** The model, with the meter in what it answers. */
  watch(model: LanguageModel, options: MeterOptions): ModelObject {
    const middleware: LanguageModelV4Middleware = {
      specificationVersion: 'v4',
      wrapGenerate: async ({ doGenerate, params, model }) => {
        const { open, result } = await this.#send(doGenerate, params, model);
        open.written = result.content.map(writtenIn).join('');
        this.#finish(open, result, options.tell);
        return result;
      },
      wrapStream: async ({ doStream, params, model }) => {
        const { open, result } = await this.#send(doStream, params, model);
        return { ...result, stream: result.stream.pipeThrough(this.#read(open, options)) };
      },
    };
    return wrapLanguageModel({ model: resolveModel(model), middleware });
  }

  /** A request is sent, of so many tokens by our own count. */
  begin(tokens: number): void {
    this.#open = { isSent: false, input: () => tokens, written: '' };
  }

  async #send<T>(
    send: () => PromiseLike<T>,
    params: LanguageModelV4CallOptions,
    model: ModelIdentity,
  ): Promise<{ open: OpenRequest; result: T }> {
    const input = () => {
      const { system, messages } = countPrompt(params, model, estimateTokens);
      return system + messages;
    };
    this.#open ??= { isSent: false, input, written: '' };
    const open = this.#open;
    open.isSent = !params.abortSignal?.aborted;
    try {
      return { open, result: await send() };
    } catch (error) {
      // Refused, or never reached: nobody charges that. What is cancelled may be at work already.
      if (!params.abortSignal?.aborted) this.#open = undefined;
      throw error;
    }
  }

  /**
   * What a request that broke off is likely to be charged: one that failed only where its answer had
   * begun. `undefined` for nothing.
   */
  brokenOff(hasFailed: boolean): Usage | undefined {
    const open = this.#open;
    this.#open = undefined;
    const isDue = open?.isSent && !(hasFailed && open.written === '');
    return isDue ? this.#estimated(open) : undefined;
  }

  /** The usage with its price. */
  #priced(usage: TokenUsage & Pick<Usage, 'isEstimate'>): Usage {
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
        const written = streamedIn(part, streamed);
        open.written += written;
        if (written !== '') wrote?.(open.written.length);
        if (part.type === 'finish') this.#finish(open, part, tell);
        controller.enqueue(part);
      },
    });
  }

  #finish(
    open: OpenRequest,
    { usage, finishReason }: Pick<LanguageModelV4GenerateResult, 'usage' | 'finishReason'>,
    tell: MeterOptions['tell'],
  ): void {
    const said = readUsage(usage);
    const isNothing = said.input === 0 && open.written === '';
    // It failed before it had answered anything: nothing to pay for, as far as anybody knows.
    if (isNothing && finishReason.unified === 'error') return;
    this.#open = undefined;
    // Many servers that speak a provider's format say nothing of usage, only half, or when asked to.
    const isWhole = said.input > 0 && (said.output > 0 || open.written === '');
    tell(isWhole ? this.#priced(said) : this.#estimated(open, said));
  }

  /** What is not said by our own count. */
  #estimated({ input, written }: OpenRequest, said: TokenUsage = NOTHING): Usage {
    return this.#priced({
      ...said,
      input: said.input || Math.max(input(), said.cacheRead + said.cacheWrite),
      output: said.output || estimateTokens(written),
      isEstimate: true,
    });
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

/** What a part of a stream has brought: arguments as they come, or with the call where they did not. */
function streamedIn(part: LanguageModelV4StreamPart, streamed: Set<string>): string {
  switch (part.type) {
    case 'tool-input-start':
      streamed.add(part.id);
      return '';
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

/** What a part of an answer holds that the model has written. */
function writtenIn(part: LanguageModelV4Content): string {
  if (part.type === 'tool-call') return part.input;
  return part.type === 'text' || part.type === 'reasoning' ? part.text : '';
}
