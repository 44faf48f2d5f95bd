import type { LanguageModel } from 'ai';
import type { ModelIdentity } from '../../models/index.ts';
import type { ModelSettings } from './model-settings.ts';

/** A model as the AI SDK names it, also where it is given by its id. */
export function identify(model: LanguageModel): ModelIdentity {
  if (typeof model !== 'string') return model;
  const slash = model.indexOf('/');
  return { provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}

/** `provider/name`, as people write it. */
export function modelName({ provider, modelId }: ModelIdentity): string {
  return `${provider.split('.')[0]}/${modelId}`;
}

/** What is set for a model, under its bare name and under its whole one, which goes before. */
export function settingsOf(
  models: Readonly<Record<string, ModelSettings>>,
  model: ModelIdentity,
): ModelSettings {
  const own = Object.entries(models[modelName(model)] ?? {});
  const given = own.filter(([, value]) => value !== undefined);
  return { ...models[model.modelId], ...Object.fromEntries(given) };
}
