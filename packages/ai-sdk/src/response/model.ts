import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { gateway, type LanguageModel, wrapLanguageModel } from 'ai';
import type { LanguageModelV4Middleware } from '../protocol/index.ts';
import { CallIds } from './call-ids.ts';

export type ModelObject = Parameters<typeof wrapLanguageModel>[0]['model'];

/** Resolves a model id in the same way as the SDK. Throws `invalid-option` if the value is not a model. */
export function resolveModel(model: LanguageModel): ModelObject {
  if (typeof model !== 'string') {
    if (!isModel(model)) throw notAModel(model);
    return model;
  }
  const { AI_SDK_DEFAULT_PROVIDER: provider } = globalThis as {
    AI_SDK_DEFAULT_PROVIDER?: { languageModel(id: string): ModelObject };
  };
  return (provider ?? gateway).languageModel(model) as ModelObject;
}

/** Whether the value is a language model. A test double may have only one of the two functions. */
export function isModel(value: unknown): value is ModelObject {
  if (typeof value !== 'object' || value === null) return false;
  const { doGenerate, doStream } = value as Partial<ModelObject>;
  return typeof doGenerate === 'function' || typeof doStream === 'function';
}

function notAModel(given: unknown): ToolfoldError {
  const what = given === null ? 'null' : `a value of type ${typeof given}`;
  return new ToolfoldError(
    'invalid-option',
    given === undefined ? 'No model is given.' : `The model is ${what}, which is not a model.`,
    'Pass a language model of the AI SDK, such as openai("gpt-5"), or its id: fold.with(model).',
  );
}

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

/** Reads a stream. Some runtimes cannot iterate over streams. Cancels the stream if the reader leaves early. */
export async function* partsOf<T>(
  stream: ReadableStream<T>,
  onReader: (cancel: (reason: unknown) => Promise<void>) => void,
): AsyncGenerator<T> {
  const reader = stream.getReader();
  onReader((reason) => reader.cancel(reason));
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    isDone = true;
  } catch (error) {
    isDone = true;
    throw error;
  } finally {
    if (!isDone) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** A stream of what a generator yields. `cancel`: called when the reader cancels, while the generator may be waiting. */
export function streamOf<T>(
  parts: AsyncGenerator<T>,
  cancel: (reason: unknown) => Promise<void>,
): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      await cancel(reason).catch(() => {});
      await parts.return(undefined).catch(() => {});
    },
  });
}
