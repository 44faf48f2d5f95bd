import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '../protocol/index.ts';
import type { CacheView, PromptCache } from './prompt-cache.ts';

/**
 * Asks for the cache with each request as it is sent. It stands next to the model, so that it sees what the app and
 * Toolfold have put into the request, and each request of a model call with several.
 */
export function cacheMiddleware(cache: PromptCache, view: CacheView): LanguageModelV4Middleware {
  return {
    specificationVersion: 'v4',

    async wrapGenerate({ params, model }) {
      const to = (next: LanguageModelV4CallOptions) => model.doGenerate(next);
      const { result, plan } = await cache.send(params, model, view, to);
      cache.note(params, model, plan, result.usage);
      return result;
    },

    async wrapStream({ params, model }) {
      const to = (next: LanguageModelV4CallOptions) => model.doStream(next);
      const { result, plan } = await cache.send(params, model, view, to);
      if (typeof plan === 'string') return result;
      const noted = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          if (part.type === 'finish') cache.note(params, model, plan, part.usage);
          controller.enqueue(part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(noted) };
    },
  };
}
