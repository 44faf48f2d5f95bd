import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { screenOf } from '@toolfold/agent/internal/events';
import { isStrategyName, strategyNames } from '@toolfold/core/internal/tool';
import { formatCount } from '@toolfold/core/internal/values';
import type { ServerStatus } from '@toolfold/mcp/internal/server';
import type { PartialChoices } from '../agents/index.ts';
import { eventsOfSession, type Opened } from '../conversations/index.ts';
import { type Next, nextOf } from '../shown/index.ts';
import { oneLine } from '../terminal/index.ts';
import type { EditorOutlet, Host } from './outlet.ts';
import { invalidParams } from './refusals.ts';

/** The value that stands for no role, or for no model. */
const NONE = '-';
/** Most characters of a description. */
const MAX_DESCRIPTION = 500;

/** The options of a session are made of what it was opened with. */
type Sources = Pick<Opened, 'set' | 'settings' | 'pool'>;

/** The options of a session with their present values. `next`: what the next request holds of tools. */
function configOptions(
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
): PartialChoices {
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

interface ConfigOptionsParts {
  readonly host: Host;
  readonly outlet: EditorOutlet;
  readonly opened: Opened;
}

/** The options that an editor shows. That of the tools says what the next request holds of them. */
export class ShownOptions {
  readonly #parts: ConfigOptionsParts;
  #next = '';
  /** What the editor has. Empty before it has any. */
  #shown = '';
  /** The context usage that was sent last. The end of a turn clears it, because an answer reports the usage too. */
  #sentUsage: string | undefined;
  #updating: Promise<void> | undefined;
  #isLate = false;

  constructor(parts: ConfigOptionsParts) {
    this.#parts = parts;
  }

  get now(): SessionConfigOption[] {
    const { opened, host } = this.#parts;
    return configOptions(opened, host, this.#next);
  }

  /** Counts what the next request holds. */
  async count(): Promise<Next> {
    const { set, settings, fold, conversation } = this.#parts.opened;
    const { session } = conversation;
    const { turns } = screenOf(session ? await eventsOfSession(session) : []);
    const model = settings.modelOf();
    const next = await nextOf({ turns, session, settings, roles: set.roles, model, fold: fold() });
    this.#next = `The next request: ${next.words}.`;
    return next;
  }

  /** The editor gets the options as they are now, in an answer. */
  answered(): SessionConfigOption[] {
    const { now } = this;
    this.#shown = JSON.stringify(now);
    return now;
  }

  /** Something was chosen. The answer to that has the options. */
  async chosen(): Promise<void> {
    await this.#sendUsage(await this.count());
  }

  /** The servers have changed. Never rejects. Changes that come meanwhile are sent together. */
  update(): Promise<void> {
    this.#isLate = this.#updating !== undefined;
    this.#updating ??= this.#send(true).finally(() => {
      this.#updating = undefined;
      if (this.#isLate) void this.update();
    });
    return this.#updating;
  }

  /** A turn has ended. `isCompacted`: no answer says how full the context is now. Never rejects. */
  ended(isCompacted: boolean): Promise<void> {
    this.#sentUsage = undefined;
    return this.#send(isCompacted);
  }

  /** Sends the options if they have changed, and how full the context is then if `withUsage`. */
  async #send(withUsage: boolean): Promise<void> {
    const { outlet } = this.#parts;
    try {
      const next = await this.count();
      if (this.#shown !== '' && JSON.stringify(this.now) !== this.#shown)
        await outlet.send({
          sessionUpdate: 'config_option_update',
          configOptions: this.answered(),
        });
      if (withUsage) await this.#sendUsage(next);
    } catch {
      // The next change tells it again.
    }
  }

  /** Tells how full the context will be, where no answer is about to say how full it was. */
  async #sendUsage({ tools = 0, conversation }: Next): Promise<void> {
    const { opened, outlet } = this.#parts;
    if (opened.conversation.state === 'running') return;
    const used = tools + conversation;
    const size = opened.settings.contextWindow ?? 0;
    const usage = `${used} ${size}`;
    if (usage === this.#sentUsage) return;
    this.#sentUsage = usage;
    await outlet.send({ sessionUpdate: 'usage_update', used, size });
  }
}
