import { type LanguageModel, wrapLanguageModel } from 'ai';
import { type ModelObject, resolveModel } from '../../ai-sdk/model/index.ts';
import type {
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '../../ai-sdk/protocol/index.ts';

/** Receives the answers of a model. */
export interface AnswerRecord {
  /** A request is sent or sent again. The parts of an earlier attempt are discarded. */
  readonly send: () => Promise<void>;
  readonly take: (part: LanguageModelV4StreamPart) => Promise<void>;
  /** Called when an answer is complete, before the SDK knows it. If it rejects, the answer fails. */
  readonly complete: (finish: FinishPart) => Promise<void>;
  /** The answer of an earlier process, which is read instead of sending the request. */
  readonly replay: () => ReadableStream<LanguageModelV4StreamPart> | undefined;
  /** The request failed, before or during its answer. */
  readonly fail: (error: unknown) => void;
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/**
 * Wraps a model so that each part is recorded before the SDK gets it. The SDK drops parts that nobody has read. An
 * answer that is read again is recorded already.
 */
export function recordedModel(model: LanguageModel, record: AnswerRecord): ModelObject {
  const middleware: LanguageModelV4Middleware = {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream }) => {
      const known = record.replay();
      if (known) return { stream: known };
      await record.send();
      const send = () =>
        doStream().then(undefined, (error) => {
          record.fail(error);
          throw error;
        });
      const { stream, ...rest } = await send();
      const recorder = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        async transform(part, controller) {
          await record.take(part);
          if (part.type === 'finish') await record.complete(part);
          if (part.type === 'error') record.fail(part.error);
          controller.enqueue(part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(recorder) };
    },
  };
  return wrapLanguageModel({ model: resolveModel(model), middleware });
}
