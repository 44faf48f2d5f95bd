import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type LanguageModel, wrapLanguageModel } from 'ai';
import { type ModelObject, resolveModel } from '../ai-sdk/model/index.ts';

/** Who keeps a record of what a model answers. */
export interface AnswerRecord {
  /** A request is sent, for the first time or once more: what an earlier attempt brought does not count. */
  readonly send: () => void;
  readonly take: (part: LanguageModelV4StreamPart) => void;
}

/** The model, with all that it answers recorded before the SDK has it: the SDK drops what nobody has read. */
export function recordedModel(model: LanguageModel, record: AnswerRecord): ModelObject {
  const middleware: LanguageModelV4Middleware = {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream }) => {
      record.send();
      const { stream, ...rest } = await doStream();
      const recorder = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          record.take(part);
          controller.enqueue(part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(recorder) };
    },
  };
  return wrapLanguageModel({ model: resolveModel(model), middleware });
}
