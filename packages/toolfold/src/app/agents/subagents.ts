import { createSubagents, type Subagents } from '@toolfold/agent/internal/agent';
import { identify, modelName, settingsOf } from '@toolfold/agent/internal/agent/options';
import { viewOf } from '@toolfold/core/internal/tools/registry';
import type { LanguageModel } from 'ai';
import type { Keys } from '../models/index.ts';
import { usageError } from '../terminal/index.ts';
import type { AgentSetUp } from './set-up.ts';

/**
 * The subagents of an agent with this model. Undefined if it has none. Rejects with `invalid-option` and
 * `unknown-role` for invalid settings, and with the errors of `Keys.load`. `keys` gets the API keys of the models
 * of roles.
 */
export async function teamOf(
  set: AgentSetUp,
  model: LanguageModel,
  keys: Keys,
): Promise<Subagents | undefined> {
  const { roles } = set;
  const { subagents: settings = false } = set.settings;
  if (settings === false) return;
  const configured = settings === true ? {} : settings;
  const models = new Map<string, LanguageModel>();
  for (const role of configured.roles ?? []) {
    viewOf(roles, role);
    const name = roles[role]?.model;
    if (name !== undefined) models.set(role, (await keys.load(set, name)).model);
  }
  if (configured.budget?.cost !== undefined) checkPrices([model, ...models.values()], set);
  const ofRole = (role: string | undefined) => (role === undefined ? undefined : models.get(role));
  return createSubagents({ ...configured, ...(models.size === 0 ? {} : { model: ofRole }) });
}

/** The tool that starts subagents, before there is a model. */
export function plannedTeam({ settings }: AgentSetUp): Subagents | undefined {
  const { subagents = false } = settings;
  return subagents === false ? undefined : createSubagents(subagents === true ? {} : subagents);
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
