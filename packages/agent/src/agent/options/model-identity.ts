import type { ModelSettings } from '@toolfold/config/internal/config';
import type { ModelIdentity } from '@toolfold/core/internal/models';
import type { LanguageModel } from 'ai';

/** Provider and id of a model object, or of a string such as `provider/name`. */
export function identify(model: LanguageModel): ModelIdentity {
  if (typeof model !== 'string') return model;
  const slash = model.indexOf('/');
  return { provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}

/** The name of a model as `provider/name`. */
export function modelName({ provider, modelId }: ModelIdentity): string {
  return `${provider.split('.')[0]}/${modelId}`;
}

/** The settings of a model. Those under `provider/name` override those under the bare name. */
export function settingsOf(
  models: Readonly<Record<string, ModelSettings>>,
  model: ModelIdentity,
): ModelSettings {
  const own = Object.entries(models[modelName(model)] ?? {});
  const given = own.filter(([, value]) => value !== undefined);
  return { ...models[model.modelId], ...Object.fromEntries(given) };
}
