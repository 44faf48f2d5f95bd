import type { SessionSettings } from '../entries/index.ts';
import type { AgentOptions, AgentSettings } from './agent-options.ts';
import { identify, modelName } from './model-identity.ts';

/** The options with changed settings. A strategy applies to the model that is used. */
export function configured(
  options: AgentOptions,
  { role, model, strategy, routing }: AgentSettings,
): AgentOptions {
  const changed: AgentOptions = {
    ...options,
    ...(role === undefined ? {} : { role: role ?? undefined }),
    ...(model === undefined ? {} : { model }),
    ...(routing === undefined ? {} : { routing }),
  };
  const chosen = strategy ?? (model === undefined ? undefined : strategyOf(options));
  if (chosen === undefined) return changed;
  const name = modelName(identify(changed.model));
  const { models = {} } = changed;
  return { ...changed, models: { ...models, [name]: { ...models[name], strategy: chosen } } };
}

/** The options with the settings of the session where the app gives none. */
export function withSettings(
  options: AgentOptions,
  { role, strategy, routing }: SessionSettings,
): AgentOptions {
  return configured(options, {
    ...(options.role === undefined && role ? { role } : {}),
    ...(options.routing === undefined && routing ? { routing } : {}),
    ...(strategy !== undefined && strategyOf(options) === undefined ? { strategy } : {}),
  });
}

/** The settings that a session keeps. */
export function settingsToKeep(options: AgentOptions): SessionSettings {
  const strategy = strategyOf(options);
  return {
    model: modelName(identify(options.model)),
    role: options.role ?? null,
    ...(options.routing === undefined ? {} : { routing: options.routing }),
    ...(strategy === undefined ? {} : { strategy }),
  };
}

function strategyOf({ model, models = {} }: AgentOptions): SessionSettings['strategy'] {
  return models[modelName(identify(model))]?.strategy;
}
