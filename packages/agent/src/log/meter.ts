import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '@toolfold/ai-sdk/internal/protocol';
import { countPrompt } from '@toolfold/ai-sdk/internal/request';
import { type ModelObject, resolveModel } from '@toolfold/ai-sdk/internal/response';
import type { TokenPrice } from '@toolfold/config/internal/settings';
import { type ModelIdentity, pricesOf } from '@toolfold/core/internal/models';
import { estimateTokens } from '@toolfold/core/internal/tool';
import { amountIn, ownProperties, ownProperty } from '@toolfold/core/internal/values';
import { type LanguageModel, wrapLanguageModel } from 'ai';
import type { AgentEvent, TokenUsage } from '../events/index.ts';

export type Usage = Extract<AgentEvent, { type: 'usage' }>;

/** Callbacks for the answers of a model. */
interface MeterOptions {
  /** Receives the usage of each complete answer, before its calls run. Must not throw. */
  readonly onUsage: (usage: Usage) => void;
  /** Receives the characters of the current answer so far: text, reasoning and arguments. Must not throw. */
  readonly onLength?: ((characters: number) => void) | undefined;
  /** Receives a request that was not announced before it is sent, and may announce it. Must not throw. */
  readonly onUnannounced?:
    | ((params: LanguageModelV4CallOptions, model: ModelIdentity) => void)
    | undefined;
}

/** A request without a complete answer, and the text received so far. */
interface OpenRequest {
  /** Its number; undefined if the request was not announced. */
  readonly number?: number;
  /** When it was sent. */
  sentAt?: number;
  /** Its estimated tokens. */
  readonly input: () => number;
  written: string;
}

type WrapStreamArguments = Parameters<NonNullable<LanguageModelV4Middleware['wrapStream']>>[0];

/** Reads the usage of one model's answers, and estimates it where the server reports none. */
export class Meter {
  readonly #price: TokenPrice | undefined;
  readonly #caches: { readonly read: number; readonly write: number };
  #open: OpenRequest | undefined;

  constructor(model: ModelIdentity, price: TokenPrice | undefined) {
    this.#price = price;
    this.#caches = pricesOf(model) ?? { read: 1, write: 1 };
  }

  /** Wraps the model so that each answer is measured. */
  watch(model: LanguageModel, options: MeterOptions): ModelObject {
    const middleware: LanguageModelV4Middleware = {
      specificationVersion: 'v4',
      wrapGenerate: async (call) => {
        const { open, result } = await this.#send(call.doGenerate, call, options);
        open.written = result.content.map(writtenIn).join('');
        this.#finish(open, result, options.onUsage);
        return result;
      },
      wrapStream: async (call) => {
        const { open, result } = await this.#send(call.doStream, call, options);
        return { ...result, stream: result.stream.pipeThrough(this.#read(open, options)) };
      },
    };
    return wrapLanguageModel({ model: resolveModel(model), middleware });
  }

  /** Announces a request with its estimated tokens and its number. */
  begin(tokens: number, number: number): void {
    this.#open = { number, input: () => tokens, written: '' };
  }

  async #send<T>(
    send: () => PromiseLike<T>,
    { params, model }: Pick<WrapStreamArguments, 'params' | 'model'>,
    options: MeterOptions,
  ): Promise<{ open: OpenRequest; result: T }> {
    const input = () => {
      const { system, messages } = countPrompt(params, model, estimateTokens);
      return system + messages;
    };
    if (!this.#open) options.onUnannounced?.(params, model);
    this.#open ??= { input, written: '' };
    const open = this.#open;
    if (!params.abortSignal?.aborted) open.sentAt = performance.now();
    try {
      return { open, result: await send() };
    } catch (error) {
      // A refused or unreachable request costs nothing. A cancelled one may already be charged.
      if (!params.abortSignal?.aborted) this.#open = undefined;
      throw error;
    }
  }

  /**
   * Estimates the usage of an interrupted request. A failed request is charged only if its answer had
   * begun. `undefined` if nothing is charged.
   */
  interruptedUsage(hasFailed: boolean): Usage | undefined {
    const open = this.#open;
    this.#open = undefined;
    if (open?.sentAt === undefined || (hasFailed && open.written === '')) return;
    return this.#estimated(open);
  }

  /** The usage with its price, its request and its duration. */
  #priced({ number, sentAt }: OpenRequest, usage: TokenUsage & Pick<Usage, 'isEstimate'>): Usage {
    const cost = this.#costOf(usage);
    return {
      type: 'usage',
      ...(number === undefined ? {} : { request: number }),
      ...usage,
      ...(cost === undefined ? {} : { cost }),
      ...(sentAt === undefined ? {} : { duration: Math.round(performance.now() - sentAt) }),
    };
  }

  #read(
    open: OpenRequest,
    { onUsage, onLength }: MeterOptions,
  ): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
    const streamed = new Set<string>();
    return new TransformStream({
      transform: (part, controller) => {
        const written = streamedIn(part, streamed);
        open.written += written;
        if (written !== '') onLength?.(open.written.length);
        if (part.type === 'finish') this.#finish(open, part, onUsage);
        controller.enqueue(part);
      },
    });
  }

  #finish(
    open: OpenRequest,
    { usage, finishReason }: Pick<LanguageModelV4GenerateResult, 'usage' | 'finishReason'>,
    onUsage: MeterOptions['onUsage'],
  ): void {
    const reported = readUsage(usage);
    const isEmpty = reported.input === 0 && open.written === '';
    // The request failed before any output, so it is assumed to cost nothing.
    if (isEmpty && finishReason.unified === 'error') return;
    this.#open = undefined;
    // Many compatible servers report no usage, a part of it, or report it only on request.
    const isComplete = reported.input > 0 && (reported.output > 0 || open.written === '');
    onUsage(isComplete ? this.#priced(open, reported) : this.#estimated(open, reported));
  }

  /** Fills in estimates where the provider reported nothing. */
  #estimated(open: OpenRequest, reported: TokenUsage = readUsage(undefined)): Usage {
    const { input, written } = open;
    return this.#priced(open, {
      ...reported,
      input: reported.input || Math.max(input(), reported.cacheRead + reported.cacheWrite),
      output: reported.output || estimateTokens(written),
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

/** The text in a stream part. Arguments of a call count once: streamed, or else with the call. */
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

/** The text that the model wrote in a part of an answer. */
function writtenIn(part: LanguageModelV4Content): string {
  if (part.type === 'tool-call') return part.input;
  return part.type === 'text' || part.type === 'reasoning' ? part.text : '';
}

/** Reads a usage object: the provider's in the present or an earlier version, or the SDK's. */
export function readUsage(usage: unknown): TokenUsage {
  const {
    inputTokens: input,
    outputTokens: output,
    inputTokenDetails: details,
    cachedInputTokens: cached,
  } = ownProperties(usage);
  const { total, cacheRead, cacheWrite } = ownProperties(input);
  const { cacheReadTokens, cacheWriteTokens } = ownProperties(details);
  return {
    input: amountIn(total ?? input),
    cacheRead: amountIn(cacheRead ?? cacheReadTokens ?? cached),
    cacheWrite: amountIn(cacheWrite ?? cacheWriteTokens),
    output: amountIn(ownProperty(output, 'total') ?? output),
  };
}
