import { wrapLanguageModel } from 'ai';
import type { ModelObject } from '../model/index.ts';
import type { LanguageModelV4Middleware } from '../protocol/index.ts';
import { CallIds } from '../response/index.ts';
import { partsOf, streamOf } from './parts-stream.ts';

/**
 * A model whose calls have ids of their own, for requests that no view reads. `isUsed`: whether a call had the id
 * whose messages are gone.
 */
export function withOwnIds(
  model: ModelObject,
  isUsed: (id: string) => boolean = () => false,
): ModelObject {
  const middleware: LanguageModelV4Middleware = {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      return { ...result, content: new CallIds(params.prompt, isUsed).ofContent(result.content) };
    },
    wrapStream: async ({ doStream, params }) => {
      const result = await doStream();
      let cancel = (_: unknown): Promise<void> => Promise.resolve();
      const parts = partsOf(result.stream, (cancels) => {
        cancel = cancels;
      });
      const ids = new CallIds(params.prompt, isUsed);
      return { ...result, stream: streamOf(ids.ofStream(parts), (reason) => cancel(reason)) };
    },
  };
  return wrapLanguageModel({ model, middleware });
}
