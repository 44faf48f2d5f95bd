import { inputText } from '@toolfold/core/internal/host';
import { anyInput, notePart, withSplitRounds } from '../messages/index.ts';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Middleware,
  LanguageModelV4ToolCall,
} from '../protocol/index.ts';
import {
  buildRequest,
  type ModelId,
  type Pending,
  type PreviousRequest,
  type RequestInputs,
} from '../request/index.ts';
import {
  givesText,
  type IncomingOptions,
  isRetryable,
  ModelCall,
  ResponseCalls,
  refusalIn,
  streamRounds,
  withoutTexts,
  withRetries,
} from '../response/index.ts';
import type { Fallback } from './options.ts';

export interface MiddlewareInputs
  extends RequestInputs,
    Pick<IncomingOptions, 'isSettled' | 'view'> {
  /** Called with each model call of the SDK. */
  readonly onUse: () => void;
  /** Called when an endpoint refused tools in mid-conversation. `forAll`: it refuses them in every conversation. */
  readonly onRefusal: (model: ModelId, form: string, why: string, forAll: boolean) => void;
  /** Called after the request was sent in another strategy. */
  readonly onFallback: ((fallback: Fallback) => void) | undefined;
  /** Whether the ids of calls stay the provider's: with the off switch. */
  readonly keepsIds: boolean;
}

interface Begun {
  readonly call: ModelCall;
  readonly request: Pending;
}

/** Puts a session between the AI SDK and a model. Keeps no state between model calls that succeed. */
export function createMiddleware(inputs: MiddlewareInputs): LanguageModelV4Middleware {
  // Keyed by the parameters of the request, because several requests can run at once.
  const pending = new WeakMap<LanguageModelV4CallOptions, Begun>();
  // Keyed by the prompt, which the SDK passes again when it repeats a failed call.
  const failed = new WeakMap<object, ModelCall>();

  /** Called when a response begins. Reports the refused calls that the request contained, then returns the reader of the new calls. */
  const receive = (
    request: Pending,
    call: ModelCall,
    isText: boolean,
  ): ResponseCalls | undefined => {
    for (const { id, name, wireName, error, isOurs } of request.refused) {
      if (inputs.view.life.records.takeReported({ id, name }) || isOurs) continue;
      const result = { error };
      request.turn.report(
        { id, name: wireName, input: undefined },
        { kind: 'answer', isError: true, result, target: name },
      );
    }
    // The off switch: responses pass unchanged.
    if (inputs.view.isOff) return;
    const { turn, offered, isKnown, signal, writer } = request;
    return new ResponseCalls({
      ...inputs,
      givesText: isText,
      turn,
      isKnown,
      signal,
      offered,
      bridgeInput: writer?.bridgeInput,
      round: call.round,
    });
  };

  /** A load that the app forces is its own step: a forced choice holds for every request of a model call. */
  const answersLoads = ({ toolChoice }: LanguageModelV4CallOptions): boolean =>
    inputs.answersLoads &&
    !(toolChoice?.type === 'tool' && inputs.set.isBridge(toolChoice.toolName));

  /** Sends a request. If the endpoint refuses the appended tools, sends it once more without them. */
  const send = async <T>(
    request: Pending,
    model: ModelId,
    first: () => PromiseLike<T>,
    retry: (params: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<{ result: T; request: Pending }> => {
    try {
      return { result: await first(), request };
    } catch (error) {
      const { original, mark, turn, signal } = request;
      const form = turn.epoch.append?.id;
      const refusal = refusalIn(error);
      if (form === undefined || refusal === undefined) throw error;
      const plain = await buildRequest(inputs, original, model, { mark, refused: refusal.why });
      if (!plain) throw error;
      // If the second request fails too, the appended tools were not the cause: throw the first error.
      const result = await retry(plain.params).then(
        (value) => value,
        (second) => {
          signal?.throwIfAborted();
          return Promise.reject(isRetryable(second) ? second : error);
        },
      );
      // A refusal may be about the content of one conversation. The form is given up for all
      // conversations only if the first request failed or the error names the form.
      const isFirst = turn.presentation.deliveries.length === 0;
      inputs.onRefusal(model, form, refusal.why, isFirst || refusal.isAboutForm);
      inputs.onFallback?.({
        from: turn.epoch.strategy.name,
        to: plain.pending.turn.epoch.strategy.name,
        reason: refusal.why,
      });
      return { result, request: plain.pending };
    }
  };

  /** Sends the next request of a model call. */
  const sendNext = async <T>(
    call: ModelCall,
    model: ModelId,
    to: (params: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<{ result: T; request: Pending }> => {
    const params = call.next();
    const built = await buildRequest(inputs, params, model, contextOf(call));
    if (!built) throw new TypeError('A model call with rounds has no tools.');
    return send(built.pending, model, () => to(built.params), to);
  };

  return {
    specificationVersion: 'v4',

    async transformParams({ params, model }) {
      inputs.onUse();
      const { keepsIds, history } = inputs;
      const isUsed = !keepsIds && ((id: string) => history?.hasCall?.(id) ?? false);
      const call = failed.get(params.prompt) ?? new ModelCall(params, answersLoads(params), isUsed);
      failed.delete(params.prompt);
      call.params = params;
      const built = await buildRequest(inputs, call.next(), model, contextOf(call));
      if (!built) {
        // Providers do not know the loads as calls of their own, whatever the request is for.
        return withSplitRounds(params, inputs.set.isBridge);
      }
      call.mark = built.pending.mark;
      pending.set(built.params, { call, request: built.pending });
      return built.params;
    },

    async wrapGenerate({ doGenerate, params, model }) {
      const begun = pending.get(params);
      if (!begun) return doGenerate();
      const { call } = begun;
      const to = (next: LanguageModelV4CallOptions) => generate(model, next);
      let sending = send(begun.request, model, doGenerate, to);
      for (;;) {
        const { result, request } = await sending.catch((error) => {
          // The SDK may call again: the rounds so far need not be repeated.
          if (call.rounds > 0) failed.set(call.params.prompt, call);
          throw error;
        });
        const incoming = receive(request, call, givesText(model.provider, false));
        const content: LanguageModelV4Content[] = request.note ? [notePart(request.note)] : [];
        for (const part of call.ids?.ofContent(result.content) ?? result.content) {
          if (part.type === 'tool-call' && !incoming) noteCall(inputs.view, part, request.signal);
          content.push(incoming && part.type === 'tool-call' ? await incoming.rewrite(part) : part);
        }
        const kept = call.isJson ? withoutTexts(content, incoming) : content;
        const { isAgain } = await call.add(kept, incoming, result);
        if (!isAgain) {
          const providerMetadata = call.metadata(result.providerMetadata);
          const more = providerMetadata ? { providerMetadata } : {};
          return { ...result, content: call.content, usage: call.usage(), ...more };
        }
        sending = sendNext(call, model, to);
      }
    },

    async wrapStream({ doStream, params, model }) {
      const begun = pending.get(params);
      if (!begun) return doStream();
      const { call } = begun;
      const to = (next: LanguageModelV4CallOptions) => model.doStream(next);
      const first = await send(begun.request, model, doStream, to);
      // The signal of the later requests: the reader may cancel while one is under way.
      const closing = new AbortController();
      const { abortSignal } = call.params;
      const signal = AbortSignal.any([closing.signal, ...(abortSignal ? [abortSignal] : [])]);
      call.params = { ...call.params, abortSignal: signal };
      const stream = streamRounds({
        call,
        first,
        receive: (request) => receive(request, call, givesText(model.provider, true)),
        open: () => withRetries(() => sendNext(call, model, to), { signal }),
        closing,
      });
      return { ...first.result, stream };
    },
  };
}

/** The off switch changes no call. The signal of its request ends what the app is asked about it. */
function noteCall(
  { life }: MiddlewareInputs['view'],
  { toolCallId: id, toolName: name, input, providerMetadata: metadata }: LanguageModelV4ToolCall,
  signal: AbortSignal | undefined,
): void {
  const expected = inputText(anyInput(input));
  life.records.arrive({ view: life, id, name, metadata, expected, signal });
}

function contextOf({ mark }: ModelCall): PreviousRequest {
  return mark === undefined ? {} : { mark };
}

async function generate(model: LanguageModelV4, params: LanguageModelV4CallOptions) {
  return model.doGenerate(params);
}
