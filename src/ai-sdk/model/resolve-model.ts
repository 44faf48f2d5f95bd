import { gateway, type LanguageModel, type wrapLanguageModel } from 'ai';
import { ToolfoldError } from '../../errors.ts';

export type ModelObject = Parameters<typeof wrapLanguageModel>[0]['model'];

/** A model by id is looked up as the SDK itself would. Throws `invalid-option` for what is no model. */
export function resolveModel(model: LanguageModel): ModelObject {
  if (typeof model !== 'string') {
    if (!isModel(model)) throw noModel(model);
    return model;
  }
  const { AI_SDK_DEFAULT_PROVIDER: provider } = globalThis as {
    AI_SDK_DEFAULT_PROVIDER?: { languageModel(id: string): ModelObject };
  };
  return (provider ?? gateway).languageModel(model) as ModelObject;
}

/** Whether it can be sent requests. A double for tests may have only one of the two functions. */
export function isModel(value: unknown): value is ModelObject {
  if (typeof value !== 'object' || value === null) return false;
  const { doGenerate, doStream } = value as Partial<ModelObject>;
  return typeof doGenerate === 'function' || typeof doStream === 'function';
}

function noModel(given: unknown): ToolfoldError {
  const what = given === null ? 'null' : `a value of type ${typeof given}`;
  return new ToolfoldError(
    'invalid-option',
    given === undefined ? 'No model is given.' : `The model is ${what}, which is no model.`,
    'Give a language model of the AI SDK, such as openai("gpt-5"), or its id: fold.with(model).',
  );
}
