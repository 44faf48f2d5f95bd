import type { LanguageModel } from 'ai';
import {
  createSubagents,
  type ModelSettings,
  type RoleSettings,
  type Subagents,
} from '../../agent/index.ts';
import { identify, modelName, settingsOf } from '../../agent/options/index.ts';
import { ToolfoldError } from '../../errors.ts';
import type { ToolfoldSettings } from '../../mcp/index.ts';
import { viewOf } from '../../tools/registry/index.ts';
import type { LoadedModel } from './model.ts';

/** The settings that decide whether an agent has subagents, and which. */
export interface SubagentSources {
  /** Overrides the configuration. */
  readonly flag: boolean | undefined;
  readonly settings: ToolfoldSettings['subagents'];
  readonly roles: Readonly<Record<string, RoleSettings>>;
  /** The model of the main agent. */
  readonly model: LanguageModel;
  /** The settings of models, by name. */
  readonly models: Readonly<Record<string, ModelSettings>>;
  /** Loads a model by its name, `provider/name`. */
  readonly load: (name: string) => Promise<LoadedModel>;
}

export interface AgentTeam {
  readonly subagents: Subagents;
  /** The API keys of the roles' own models. They must never be shown. */
  readonly keys: readonly string[];
}

/**
 * Creates the subagents of an agent. `undefined` if it has none. Throws `invalid-option` and
 * `unknown-role` for invalid settings, and the errors of `load`.
 */
export async function loadSubagents(sources: SubagentSources): Promise<AgentTeam | undefined> {
  const { flag, settings = false, roles, load } = sources;
  if (!(flag ?? settings !== false)) return;
  const configured = typeof settings === 'object' ? settings : {};
  const models = new Map<string, LanguageModel>();
  const keys: string[] = [];
  for (const role of configured.roles ?? []) {
    viewOf(roles, role);
    const name = roles[role]?.model;
    if (name === undefined) continue;
    const { model, key } = await load(name);
    models.set(role, model);
    if (key !== undefined) keys.push(key);
  }
  if (configured.budget?.cost !== undefined)
    checkPrices([sources.model, ...models.values()], sources);
  const ofRole = (role: string | undefined) => (role === undefined ? undefined : models.get(role));
  const model = models.size === 0 ? {} : { model: ofRole };
  return { subagents: createSubagents({ ...configured, ...model }), keys };
}

/** A budget in money needs the price of every model. */
function checkPrices(used: readonly LanguageModel[], { models }: SubagentSources): void {
  const identities = used.map(identify);
  const unpriced = identities.find((model) => settingsOf(models, model).price === undefined);
  if (!unpriced) return;
  const name = modelName(unpriced);
  throw new ToolfoldError(
    'invalid-option',
    `The budget of subagents has a cost, but ${name} has no price.`,
    `Set "models": { "${name}": { "price": { "input": …, "output": … } } }, or give the budget in tokens.`,
  );
}
