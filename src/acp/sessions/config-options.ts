import type { ClientCapabilities, SessionConfigOption } from '@agentclientprotocol/sdk';
import { identify, settingsOf } from '../../agent/options/index.ts';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import type { AgentSetUp } from '../../app/agents/index.ts';
import type { Choice, Settings } from '../../app/conversations/index.ts';
import { formatCount, oneLine } from '../../app/terminal/index.ts';
import type { ServerPool, ServerStatus } from '../../mcp/index.ts';
import { isStrategyName, strategyNames } from '../../tools/strategies/index.ts';
import { invalidParams } from '../refusals/index.ts';

/** The value that stands for no role, or for no model. */
const NONE = '-';
/** Most characters of a description. */
const MAX_DESCRIPTION = 500;

/** What the options of a session are made of. */
export interface OptionSources {
  readonly set: AgentSetUp;
  readonly flags: AgentFlags;
  readonly settings: Settings;
  readonly pool: Pick<ServerPool, 'servers'>;
  readonly client: { readonly capabilities: ClientCapabilities };
}

/** The options of a session with their present values. */
export function configOptions(sources: OptionSources): SessionConfigOption[] {
  const { set, flags, settings, pool, client } = sources;
  const role = settings.role ?? NONE;
  const model = settings.modelOf() ?? NONE;
  const roleModels = Object.values(set.roles).map((one) => one.model);
  const named = [
    ...[flags.model, set.modelName(undefined), ...roleModels, ...Object.keys(set.models)],
    ...set.directory.foundNames,
  ];
  const models = named.filter((name) => name?.includes('/')) as string[];
  const strategy = settings.strategy ?? 'auto';
  const description = oneLine(toolsText(pool.servers), MAX_DESCRIPTION);
  const tools = { id: 'tools', name: 'Tools', description, category: '_tools' };
  return [
    select(
      {
        id: 'role',
        name: 'Role',
        category: 'mode',
        description: 'Sets which tools are available.',
      },
      role,
      [NONE, ...Object.keys(set.roles), role],
      { [NONE]: 'No role (all tools)' },
    ),
    select({ id: 'model', name: 'Model', category: 'model' }, model, [model, ...models], {
      [NONE]: 'No model',
    }),
    select(
      {
        ...{ id: 'strategy', name: 'Strategy', category: 'model_config' },
        description: 'How tools reach the model.',
      },
      strategy === false ? 'eager' : strategy,
      strategyNames,
    ),
    client.capabilities.session?.configOptions?.boolean
      ? { ...tools, type: 'boolean' as const, currentValue: settings.areToolsOn }
      : select(tools, settings.areToolsOn ? 'on' : 'off', ['on', 'off'], { on: 'On', off: 'Off' }),
  ];
}

/** An option with these values. Some of them have names of their own. */
function select(
  about: Pick<SessionConfigOption, 'id' | 'name' | 'category' | 'description'>,
  currentValue: string,
  values: readonly string[],
  names: Readonly<Record<string, string>> = {},
): SessionConfigOption {
  const options = [...new Set(values)].map((value) => ({ value, name: names[value] ?? value }));
  return { ...about, type: 'select', currentValue, options };
}

/** The choice of a value for an option. Throws an invalid parameter if either is unknown. */
export function choiceOf(sources: OptionSources, id: string, value: string | boolean): Choice {
  const option = configOptions(sources).find((known) => known.id === id);
  if (!option) throw invalidParams(`There is no option "${id}".`);
  if (option.id === 'tools') {
    const isOn = value === 'on' || value === true;
    if (!isOn && value !== 'off' && value !== false) throw noValue(id, 'on or off');
    return { areToolsOn: isOn };
  }
  const values = option.type === 'select' ? valuesOf(option.options) : [];
  if (typeof value !== 'string' || !values.includes(value)) throw noValue(id, values.join(', '));
  if (id === 'strategy') return isStrategyName(value) ? { strategy: value } : {};
  if (id === 'role') return { role: value === NONE ? null : value };
  return { model: value === NONE ? undefined : value };
}

/** Tokens of the window of a model. Undefined if they are not known. */
export function contextWindowOf(
  { models }: Pick<AgentSetUp, 'models'>,
  model: string | undefined,
): number | undefined {
  return model === undefined ? undefined : settingsOf(models, identify(model)).contextWindow;
}

/** Such as `files: 14 tools; github: needs-auth`. */
function toolsText(servers: readonly ServerStatus[]): string {
  if (servers.length === 0) return 'No MCP servers are configured.';
  const parts = servers.map(({ name, state, tools }) =>
    state === 'ready' || state === 'idle'
      ? `${name}: ${formatCount(tools, 'tool')}`
      : `${name}: ${state}`,
  );
  return parts.join('; ');
}

function valuesOf(options: Extract<SessionConfigOption, { type: 'select' }>['options']): string[] {
  return options.flatMap((option) =>
    'value' in option ? [option.value] : option.options.map(({ value }) => value),
  );
}

function noValue(id: string, expected: string): Error {
  return invalidParams(
    `The option "${id}" has a value that it cannot have. Expected: ${expected}.`,
  );
}
