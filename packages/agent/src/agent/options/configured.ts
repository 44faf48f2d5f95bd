import type { SessionSettings } from '../entries/index.ts';
import { publicUrl } from '../events/index.ts';
import type { AgentOptions, AgentSettings } from './agent-options.ts';
import { identify, modelName } from './model-identity.ts';

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
