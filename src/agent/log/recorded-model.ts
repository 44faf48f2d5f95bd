import { type LanguageModel, wrapLanguageModel } from 'ai';
import { type ModelObject, resolveModel } from '../../ai-sdk/model/index.ts';
import type {
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '../../ai-sdk/protocol/index.ts';
import type { AnswerRecorder } from './answer-recorder.ts';

/**
 * Wraps a model so that each part is recorded before the SDK gets it. The SDK drops parts that nobody has read. An
 * answer that is read again is recorded already.
 */
export function recordedModel(model: LanguageModel, recorder: AnswerRecorder): ModelObject {
  const middleware: LanguageModelV4Middleware = {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream }) => {
      const known = recorder.replay();
      if (known) return { stream: known };
      await recorder.send();
      const { stream, ...rest } = await doStream().then(undefined, (error) => {
        recorder.fail(error);
        throw error;
      });
      const recording = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        async transform(part, controller) {
          await recorder.take(part);
          controller.enqueue(part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(recording) };
    },
  };
  return wrapLanguageModel({ model: resolveModel(model), middleware });
}
