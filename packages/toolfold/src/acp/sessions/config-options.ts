import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { isStrategyName, strategyNames } from '@toolfold/core/internal/tools/strategies';
import type { ServerStatus } from '@toolfold/mcp/internal/mcp';
import type { Choice, Opened } from '../../app/conversations/index.ts';
import { formatCount, oneLine } from '../../app/terminal/index.ts';
import { invalidParams } from '../refusals/index.ts';
import type { Host } from './host.ts';

/** The value that stands for no role, or for no model. */
const NONE = '-';
/** Most characters of a description. */
const MAX_DESCRIPTION = 500;

/** The options of a session are made of what it was opened with. */
type Sources = Pick<Opened, 'set' | 'settings' | 'pool'>;

/** The options of a session with their present values. `next`: what the next request holds of tools. */
export function configOptions(
  { set, settings, pool }: Sources,
  { flags, client }: Pick<Host, 'flags' | 'client'>,
  next: string,
): SessionConfigOption[] {
  const role = settings.role ?? NONE;
  const model = settings.modelOf() ?? NONE;
  const roleModels = Object.values(set.roles).map((one) => one.model);
  const named = [
    ...[flags.model, set.modelName(undefined), ...roleModels, ...Object.keys(set.models)],
    ...set.directory.foundNames,
  ];
  const models = named.filter((name) => name?.includes('/')) as string[];
  const strategy = settings.strategy ?? 'auto';
  const description = oneLine(`${next} ${toolsText(pool.servers)}`.trim(), MAX_DESCRIPTION);
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

/** The option of the role, in the form of modes. */
export function modesOf(options: readonly SessionConfigOption[]): SessionModeState {
  const role = options.find(({ id }) => id === 'role');
  if (role?.type !== 'select') return { currentModeId: NONE, availableModes: [] };
  const availableModes = role.options.flatMap((one) =>
    'value' in one ? [{ id: one.value, name: one.name }] : [],
  );
  return { currentModeId: role.currentValue, availableModes };
}

/** The choice of a value for one of these options. Throws an invalid parameter if either is unknown. */
export function choiceOf(
  options: readonly SessionConfigOption[],
  id: string,
  value: string | boolean,
): Choice {
  const option = options.find((known) => known.id === id);
  if (!option) throw invalidParams(`There is no option "${id}".`);
  const given = typeof value === 'string' ? value : value ? 'on' : 'off';
  const values = option.type === 'select' ? option.options.flatMap(valuesOf) : ['on', 'off'];
  if (!values.includes(given))
    throw invalidParams(
      `The option "${id}" has a value that it cannot have. Expected: ${values.join(', ')}.`,
    );
  if (id === 'tools') return { areToolsOn: given === 'on' };
  if (id === 'strategy') return isStrategyName(given) ? { strategy: given } : {};
  if (id === 'role') return { role: given === NONE ? null : given };
  return { model: given === NONE ? undefined : given };
}

function valuesOf(option: object): readonly string[] {
  return 'value' in option ? [String(option.value)] : [];
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
