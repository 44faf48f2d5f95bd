import type { LanguageModel } from 'ai';
import {
  createSubagents,
  type ModelSettings,
  type RoleSettings,
  type Subagents,
} from '../../agent/index.ts';
import { identify, modelName, settingsOf } from '../../agent/settings/index.ts';
import { ToolfoldError } from '../../errors.ts';
import type { ToolfoldSettings } from '../../mcp/index.ts';
import { viewOf } from '../../tools/access/index.ts';
import type { LoadedModel } from './model.ts';

/** What says whether there are subagents, and how they are to be. */
export interface SubagentSources {
  /** Goes before what the configuration says. */
  readonly flag: boolean | undefined;
  readonly settings: ToolfoldSettings['subagents'];
  readonly roles: Readonly<Record<string, RoleSettings>>;
  /** The agent's own. */
  readonly model: LanguageModel;
  /** What is set for models, by name. */
  readonly models: Readonly<Record<string, ModelSettings>>;
  /** Loads a model by its name, `provider/name`. */
  readonly load: (name: string) => Promise<LoadedModel>;
}

export interface RunSubagents {
  readonly subagents: Subagents;
  /** Of the models that roles have of their own: what must never be shown. */
  readonly keys: readonly string[];
}

/**
 * What an agent needs to have subagents; `undefined` where it has none. Throws `invalid-option` and
 * `unknown-role` for settings that cannot be, and what `load` throws.
 */
export async function loadSubagents(sources: SubagentSources): Promise<RunSubagents | undefined> {
  const { flag, settings = false, roles, load } = sources;
  if (!(flag ?? settings !== false)) return;
  const own = typeof settings === 'object' ? settings : {};
  const models = new Map<string, LanguageModel>();
  const keys: string[] = [];
  for (const role of own.roles ?? []) {
    viewOf(roles, role);
    const name = roles[role]?.model;
    if (name === undefined) continue;
    const { model, key } = await load(name);
    models.set(role, model);
    if (key !== undefined) keys.push(key);
  }
  if (own.budget?.cost !== undefined) checkPrices([sources.model, ...models.values()], sources);
  const ofRole = (role: string | undefined) => (role === undefined ? undefined : models.get(role));
  const model = models.size === 0 ? {} : { model: ofRole };
  return { subagents: createSubagents({ ...own, ...model }), keys };
}

/** Without their prices nothing can be counted against a budget in money. */
function checkPrices(used: readonly LanguageModel[], { models }: SubagentSources): void {
  const identities = used.map(identify);
  const unpriced = identities.find((model) => settingsOf(models, model).price === undefined);
  if (!unpriced) return;
  const name = modelName(unpriced);
  throw new ToolfoldError(
    'invalid-option',
    `The budget of subagents has a cost, and there is no price for ${name}.`,
    `Set "models": { "${name}": { "price": { "input": …, "output": … } } }, or give the budget in tokens.`,
  );
}
