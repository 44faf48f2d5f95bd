import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import { identify, settingsOf } from '../../agent/options/index.ts';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import type { AgentSetUp } from '../../app/agents/index.ts';
import type { Choice, Settings } from '../../app/conversations/index.ts';
import { formatCount, oneLine } from '../../app/terminal/index.ts';
import type { ServerPool, ServerStatus } from '../../mcp/index.ts';
import { isStrategyName, strategyNames } from '../../tools/strategies/index.ts';
import { invalidParams } from '../refusals/index.ts';
import type { EditorFeatures } from '../updates/index.ts';

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
  readonly client: { readonly features: Pick<EditorFeatures, 'booleans'> };
}

/** The options of a session with their present values. */
export function configOptions(sources: OptionSources): SessionConfigOption[] {
  const { pool, settings, client } = sources;
  const tools = {
    id: 'tools',
    name: 'Tools',
    description: oneLine(toolsText(pool.servers), MAX_DESCRIPTION),
    category: '_tools',
  };
  return [
    roleOption(sources),
    modelOption(sources),
    strategyOption(sources),
    client.features.booleans
      ? { ...tools, type: 'boolean', currentValue: settings.areToolsOn }
      : {
          ...tools,
          type: 'select',
          currentValue: settings.areToolsOn ? 'on' : 'off',
          options: [
            { value: 'on', name: 'On' },
            { value: 'off', name: 'Off' },
          ],
        },
  ];
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

function roleOption({ set, settings }: OptionSources): SessionConfigOption {
  const role = settings.role ?? NONE;
  const names = new Set([NONE, ...Object.keys(set.roles), role]);
  return {
    id: 'role',
    name: 'Role',
    description: 'Sets which tools are available.',
    category: 'mode',
    type: 'select',
    currentValue: role,
    options: [...names].map((value) =>
      value === NONE ? { value, name: 'No role (all tools)' } : { value, name: value },
    ),
  };
}

function modelOption({ set, flags, settings }: OptionSources): SessionConfigOption {
  const current = settings.modelOf() ?? NONE;
  const roles = Object.values(set.roles).map(({ model }) => model);
  const known = [flags.model, set.modelName(undefined), ...roles, ...Object.keys(set.models)];
  const named = known.filter((name) => name?.includes('/')) as string[];
  return {
    ...{ id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: current },
    options: [...new Set([current, ...named])].map((value) =>
      value === NONE ? { value, name: 'No model' } : { value, name: value },
    ),
  };
}

function strategyOption({ settings }: OptionSources): SessionConfigOption {
  const current = settings.strategy ?? 'auto';
  return {
    id: 'strategy',
    name: 'Strategy',
    description: 'How tools reach the model.',
    category: 'model_config',
    type: 'select',
    currentValue: current === false ? 'eager' : current,
    options: strategyNames.map((value) => ({ value, name: value })),
  };
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
