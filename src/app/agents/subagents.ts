import type { LanguageModel } from 'ai';
import { createSubagents, type Subagents } from '../../agent/index.ts';
import { identify, modelName, settingsOf } from '../../agent/options/index.ts';
import { viewOf } from '../../tools/registry/index.ts';
import { usageError } from '../terminal/index.ts';
import type { AgentSetUp } from './set-up.ts';

export interface AgentTeam {
  readonly subagents: Subagents;
  /** The API keys of the roles' own models. They must never be shown. */
  readonly keys: readonly string[];
}

/**
 * The subagents of an agent with this model. Undefined if it has none. Rejects with `invalid-option` and
 * `unknown-role` for invalid settings, and with the errors of `load`.
 */
export async function teamOf(
  set: AgentSetUp,
  model: LanguageModel,
): Promise<AgentTeam | undefined> {
  const { roles, load } = set;
  const { subagents: settings = false } = set.settings;
  if (settings === false) return;
  const configured = settings === true ? {} : settings;
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
  if (configured.budget?.cost !== undefined) checkPrices([model, ...models.values()], set);
  const ofRole = (role: string | undefined) => (role === undefined ? undefined : models.get(role));
  const chosen = models.size === 0 ? {} : { model: ofRole };
  return { subagents: createSubagents({ ...configured, ...chosen }), keys };
}

/** A budget in money needs the price of every model. */
function checkPrices(used: readonly LanguageModel[], { models }: AgentSetUp): void {
  const identities = used.map(identify);
  const unpriced = identities.find((model) => settingsOf(models, model).price === undefined);
  if (!unpriced) return;
  const name = modelName(unpriced);
  throw usageError(
    `The budget of subagents has a cost, but ${name} has no price.`,
    `Set "models": { "${name}": { "price": { "input": …, "output": … } } }, or give the budget in tokens.`,
  );
}
