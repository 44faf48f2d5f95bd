import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { gateway, type LanguageModel, type wrapLanguageModel } from 'ai';

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
