import type { ModelSettings } from '@toolfold/config/internal/settings';
import type { ModelIdentity } from '@toolfold/core/internal/models';
import type { LanguageModel } from 'ai';
import type { SessionSettings } from '../entries/index.ts';
import { publicUrl } from '../events/index.ts';
import type { AgentOptions, AgentSettings } from './options.ts';

/** The options with changed settings. A strategy applies to the model that is used. */
export function configured(
  options: AgentOptions,
  { role, model, address, strategy, routing }: AgentSettings,
): AgentOptions {
  const changed: AgentOptions = {
    ...options,
    ...(role === undefined ? {} : { role: role ?? undefined }),
    ...(model === undefined ? {} : { model, address }),
    ...(routing === undefined ? {} : { routing }),
  };
  if (strategy === undefined) return changed;
  const name = nameOf(changed);
  const { models = {} } = changed;
  return { ...changed, models: { ...models, [name]: { ...models[name], strategy } } };
}

/** What the session has kept and the app does not give. The strategy that the app gives another model stays with that one. */
export function settingsKept(
  options: AgentOptions,
  { model = '', role, strategy, routing }: SessionSettings,
): AgentSettings {
  const isOfModel = options.models?.[model]?.strategy === strategy;
  return {
    ...(options.role === undefined && role ? { role } : {}),
    ...(options.routing === undefined && routing ? { routing } : {}),
    ...(strategyOf(options) === undefined && !isOfModel ? { strategy } : {}),
  };
}

/** The settings that a session keeps. */
export function settingsToKeep(options: AgentOptions): SessionSettings {
  const strategy = strategyOf(options);
  return {
    model: nameOf(options),
    ...(options.address === undefined ? {} : { address: publicUrl(options.address) }),
    role: options.role ?? null,
    ...(options.routing === undefined ? {} : { routing: options.routing }),
    ...(strategy === undefined ? {} : { strategy }),
  };
}

function strategyOf(options: AgentOptions): SessionSettings['strategy'] {
  return options.models?.[nameOf(options)]?.strategy;
}

function nameOf({ model }: AgentOptions): string {
  return modelName(identify(model));
}

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
