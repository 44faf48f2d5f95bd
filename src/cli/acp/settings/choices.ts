import { identify, modelName } from '../../../agent/settings/index.ts';
import type { Entry } from '../../../sessions/index.ts';
import type { StrategyChoice } from '../../../tools/strategies/index.ts';
import { own } from '../../../tools/values/index.ts';
import type { AgentFlags } from '../../agents/flags/index.ts';

/** What the user of a session chooses. Changes take effect with the next turn. */
export interface Choices {
  /** Undefined for no role. */
  readonly role: string | undefined;
  /** `provider/name`. Undefined: the role, the flags or the environment decide. */
  readonly model: string | undefined;
  /** Undefined: the flags or the configuration decide. */
  readonly strategy: StrategyChoice | undefined;
  readonly areToolsOn: boolean;
}

/** The choices of a new session. */
export function firstChoices({ role }: AgentFlags): Choices {
  return { role, model: undefined, strategy: undefined, areToolsOn: true };
}

/**
 * The choices that a session keeps. What it does not say is as in a new session. `defaultModel`: the name of
 * the model that a role would use; a session that uses it goes on without a choice of its own.
 */
export function keptChoices(
  entries: readonly Entry[],
  flags: AgentFlags,
  defaultModel: (role: string | undefined) => string | undefined,
): Choices {
  const first = firstChoices(flags);
  const kept = entries.findLast(({ kind }) => kind === 'settings')?.body;
  const tools = entries.findLast(({ kind }) => kind === 'tools')?.body;
  const text = (key: string): string | undefined => {
    const value = own(kept, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const role = kept === undefined ? first.role : text('role');
  const given = defaultModel(role);
  const isDefault = given !== undefined && modelName(identify(given)) === text('model');
  return {
    role,
    model: isDefault ? undefined : text('model'),
    strategy: text('strategy') as StrategyChoice | undefined,
    areToolsOn: own(tools, 'on') !== false,
  };
}
