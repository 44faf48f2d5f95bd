import type { Session } from '../tools/session/index.ts';
import { notePart } from './metadata/index.ts';
import type { Fallback } from './options/index.ts';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Middleware,
} from './protocol/index.ts';
import { isRetryable, refusalIn } from './refusal.ts';
import { buildRequest, type ModelId, type Pending, type RequestInputs } from './request/index.ts';
import { type ArrivalOptions, Incoming, rewriteStream } from './response/index.ts';

export interface MiddlewareInputs
  extends RequestInputs,
    Pick<ArrivalOptions, 'executor' | 'hooks' | 'policy' | 'runner' | 'invalid' | 'set'> {
  /** The off switch: responses pass unchanged. */
  readonly isOff: boolean;
  /** The session of the view, for any model. */
  readonly base: Session;
  /** Called when an endpoint refused tools in mid-conversation. `forAll`: it refuses them in every conversation. */
  readonly onRefusal: (model: ModelId, form: string, why: string, forAll: boolean) => void;
  /** Called after the request was sent in another strategy. */
  readonly onFallback: ((fallback: Fallback) => void) | undefined;
}

/** Puts a session between the AI SDK and a model. Keeps no state between requests. */
export function createMiddleware(inputs: MiddlewareInputs): LanguageModelV4Middleware {
  // Keyed by the parameters of the request, because several requests can run at once.
  const pending = new WeakMap<LanguageModelV4CallOptions, Pending>();

  /** Called when a response begins. Reports the refused calls that the request contained, then returns the reader of the new calls. */
  const receive = (request: Pending): Incoming | undefined => {
    for (const { id, name, wireName, error, isOurs } of request.refused) {
      if (inputs.policy.reported.take(id, name) || isOurs) continue;
      const result = { error };
      request.turn.report(
        { id, name: wireName, input: undefined },
        { kind: 'answer', isError: true, result, target: name },
      );
    }
    if (inputs.isOff) return;
    const { turn, isKnown, signal, writer, original } = request;
    return new Incoming({
      ...inputs,
      session: inputs.base,
      turn,
      isKnown,
      signal,
      offered: new Map((original.tools ?? []).map((tool) => [tool.name, tool])),
      bridgeInput: writer?.bridgeInput,
    });
  };

  /** Sends a request. If the endpoint refuses the appended tools, sends it once more without them. */
  const send = async <T>(
    params: LanguageModelV4CallOptions,
    model: ModelId,
    first: () => PromiseLike<T>,
    retry: (params: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<{ result: T; request: Pending | undefined }> => {
    const request = pending.get(params);
    try {
      return { result: await first(), request };
    } catch (error) {
      const form = request?.turn.epoch.append?.id;
      const refusal = refusalIn(error);
      if (!request || form === undefined || refusal === undefined) throw error;
      const plain = await buildRequest(inputs, request.original, model, refusal.why);
      if (!plain) throw error;
      // If the second request fails too, the appended tools were not the cause: throw the first error.
      const result = await retry(plain.params).then(
        (value) => value,
        (second) => {
          request.signal?.throwIfAborted();
          return Promise.reject(isRetryable(second) ? second : error);
        },
      );
      // A refusal may be about the content of one conversation. The form is given up for all
      // conversations only if the first request failed or the error names the form.
      const isFirst = request.turn.presentation.deliveries.length === 0;
      inputs.onRefusal(model, form, refusal.why, isFirst || refusal.isAboutForm);
      inputs.onFallback?.({
        from: request.turn.epoch.strategy.name,
        to: plain.pending.turn.epoch.strategy.name,
        reason: refusal.why,
      });
      return { result, request: plain.pending };
    }
  };

  return {
    specificationVersion: 'v4',

    async transformParams({ params, model }) {
      const built = await buildRequest(inputs, params, model);
      if (!built) return params;
      pending.set(built.params, built.pending);
      return built.params;
    },

    async wrapGenerate({ doGenerate, params, model }) {
      const retry = (plain: LanguageModelV4CallOptions) => generate(model, plain);
      const { result, request } = await send(params, model, doGenerate, retry);
      if (!request) return result;
      const incoming = receive(request);
      const content: LanguageModelV4Content[] = request.note ? [notePart(request.note)] : [];
      for (const part of result.content) {
        content.push(incoming && part.type === 'tool-call' ? await incoming.rewrite(part) : part);
      }
      return { ...result, content };
    },

    async wrapStream({ doStream, params, model }) {
      const retry = (plain: LanguageModelV4CallOptions) => model.doStream(plain);
      const { result, request } = await send(params, model, doStream, retry);
      if (!request) return result;
      return {
        ...result,
        stream: result.stream.pipeThrough(rewriteStream(receive(request), request.note)),
      };
    },
  };
}

async function generate(model: LanguageModelV4, params: LanguageModelV4CallOptions) {
  return model.doGenerate(params);
}
