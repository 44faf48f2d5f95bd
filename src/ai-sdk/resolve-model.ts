import { gateway, type LanguageModel, type wrapLanguageModel } from 'ai';

export type ModelObject = Parameters<typeof wrapLanguageModel>[0]['model'];

/** A model by id is looked up as the SDK itself would. */
export function resolveModel(model: LanguageModel): ModelObject {
  if (typeof model !== 'string') return model as ModelObject;
  const { AI_SDK_DEFAULT_PROVIDER: provider } = globalThis as {
    AI_SDK_DEFAULT_PROVIDER?: { languageModel(id: string): ModelObject };
  };
  return (provider ?? gateway).languageModel(model) as ModelObject;
}
