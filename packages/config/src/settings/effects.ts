import { keyVariable } from '../key-variable.ts';
import { type SubagentSettings, TURN_LIMITS } from './agents.ts';
import type { ProviderSettings } from './models.ts';
import type { ServerSettings, ToolfoldSettings } from './settings.ts';
import type { AllowRule, ApprovalMode, RoleSettings } from './tools.ts';

/** Says what a setting does with a value. `name`: the last name that the user chose. Undefined: no more than without it. */
type Effect = (value: unknown, name: string) => string | undefined;

/** A setting that widens no right and sends nothing anywhere. */
const HARMLESS = 'harmless';
/** A setting that the effect of the setting around it, or of each of its members, says. */
const SAID = 'said';

const says = <T>(effect: (value: T, name: string) => string | undefined): Effect =>
  effect as Effect;

const quoted = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ');

const above = (limit: number, what: string): Effect =>
  says<number>((value) => (value > limit ? `allow ${value} ${what}` : undefined));

const ruleText = (rule: AllowRule): string => {
  if (typeof rule === 'string') return quoted([rule]);
  if ('tools' in rule) return quoted(Object.keys(rule.tools));
  return `${quoted([rule.tool])} with ${JSON.stringify(rule.arguments)}`;
};

const cacheKey = says<string>(
  (key) => `send ${quoted([key])} to the provider as the key of its cache`,
);

const roleText = ({ tools, groups, model }: RoleSettings, name: string): string => {
  const listed = (list: readonly string[] | false | undefined): string =>
    list === undefined ? 'all' : quoted(list || []) || 'none';
  const asks = model === undefined ? '' : `, and the model ${quoted([model])}`;
  return `give the role ${quoted([name])} these tools: ${listed(tools)}, of these groups: ${listed(groups)}${asks}`;
};

const providerText = ({ address, key }: ProviderSettings, name: string): string =>
  `send prompts, results of tools and the key in the variable ${key ?? keyVariable(name)} to ${address}, for models that begin with ${quoted([`${name}/`])}`;

const samplingText = (value: ServerSettings['sampling'], name: string): string | undefined =>
  value === false
    ? undefined
    : `let the server ${quoted([name])} use your model at your cost${value === true ? '' : `, with ${JSON.stringify(value)}`}`;

const subagentText = (value: SubagentSettings | boolean): string | undefined =>
  value === false
    ? undefined
    : `let the model start subagents${value === true ? '' : `, with ${JSON.stringify(value)}`}`;

const MODES: Readonly<Record<ApprovalMode, string | undefined>> = {
  never: 'run every call of a tool without asking you',
  annotations: 'run the tools of trusted servers that only read without asking you',
  always: undefined,
};

/** What each setting does, by its path in the schema. `*` stands for a name that the user chose. */
export const EFFECTS: Readonly<Record<string, Effect | typeof HARMLESS | typeof SAID>> = {
  strategy: HARMLESS,
  exposure: SAID,
  'exposure.*': says<string>((exposure, glob) =>
    exposure === 'hidden' ? undefined : `show the tools ${quoted([glob])} to the model`,
  ),
  catalog: SAID,
  'catalog.header': says<string>((header) => `add to what the model reads: ${quoted([header])}`),
  'catalog.budget': HARMLESS,
  'catalog.hints': HARMLESS,
  cache: SAID,
  'cache.ttl': HARMLESS,
  'cache.key': cacheKey,
  roles: SAID,
  'roles.*': says<RoleSettings>(roleText),
  ...{ 'roles.*.tools': SAID, 'roles.*.groups': SAID, 'roles.*.model': SAID },
  'roles.*.maxRounds': above(TURN_LIMITS.rounds, 'rounds of tools in a turn of a role'),
  categories: HARMLESS,
  'categories.*': HARMLESS,
  'categories.*.words': HARMLESS,
  'categories.*.tools': HARMLESS,
  'categories.*.not': HARMLESS,
  routing: HARMLESS,
  projectInstructions: says<boolean>((is) =>
    is ? 'give AGENTS.md or CLAUDE.md of the project to the model as instructions' : undefined,
  ),
  maxRounds: above(TURN_LIMITS.rounds, 'rounds of tools in a turn'),
  maxRequests: above(TURN_LIMITS.rounds + TURN_LIMITS.moreRequests, 'requests in a turn'),
  maxTokens: above(TURN_LIMITS.tokens, 'tokens in a turn'),
  maxResultLength: HARMLESS,
  models: SAID,
  'models.*': SAID,
  'models.*.maxRounds': above(TURN_LIMITS.rounds, 'rounds of tools in a turn on a model'),
  'models.*.contextWindow': HARMLESS,
  'models.*.strategy': HARMLESS,
  'models.*.cache': SAID,
  'models.*.cache.ttl': HARMLESS,
  'models.*.cache.key': cacheKey,
  'models.*.images': says<boolean>((is, name) =>
    is ? `send images to the model ${quoted([name])}` : undefined,
  ),
  'models.*.price': says<object>(
    (price, name) =>
      `count the cost of ${quoted([name])}, also for budgets, with the prices ${JSON.stringify(price)}`,
  ),
  ...{ 'models.*.price.input': SAID, 'models.*.price.output': SAID },
  ...{ 'models.*.price.cacheRead': SAID, 'models.*.price.cacheWrite': SAID },
  providers: SAID,
  'providers.*': says<ProviderSettings>(providerText),
  ...{ 'providers.*.address': SAID, 'providers.*.key': SAID },
  'providers.*.protocol': HARMLESS,
  titles: says<boolean | string>((model) =>
    model === false
      ? undefined
      : `send the beginnings of sessions to ${model === true ? 'the model' : `the model ${quoted([model])}`} for titles`,
  ),
  approvals: SAID,
  'approvals.mode': says<ApprovalMode>((mode) => MODES[mode]),
  'approvals.allow': says<readonly AllowRule[]>((rules) =>
    rules.length === 0 ? undefined : `run without asking you: ${rules.map(ruleText).join(', ')}`,
  ),
  ...{ 'approvals.allow[].tool': SAID, 'approvals.allow[].arguments': SAID },
  ...{ 'approvals.allow[].arguments.*': SAID, 'approvals.allow[].definition': SAID },
  ...{ 'approvals.allow[].tools': SAID, 'approvals.allow[].tools.*': SAID },
  subagents: says<SubagentSettings | boolean>(subagentText),
  ...{ 'subagents.roles': SAID, 'subagents.wide': SAID, 'subagents.concurrency': SAID },
  ...{ 'subagents.timeout': SAID, 'subagents.warmCache': SAID, 'subagents.depth': SAID },
  ...{ 'subagents.budget': SAID, 'subagents.budget.tokens': SAID, 'subagents.budget.cost': SAID },
  ...{ 'subagents.maxRounds': SAID, 'subagents.instructions': SAID, 'subagents.withhold': SAID },
  'subagents.resultBytes': SAID,
  servers: SAID,
  'servers.*': SAID,
  'servers.*.trusted': says<boolean>((is, name) =>
    is
      ? `believe what the server ${quoted([name])} says of its tools: those that only read run without asking you`
      : undefined,
  ),
  'servers.*.sampling': says<ServerSettings['sampling']>(samplingText),
  ...{ 'servers.*.sampling.maxCalls': SAID, 'servers.*.sampling.maxTokens': SAID },
  currency: HARMLESS,
  notify: HARMLESS,
  serve: SAID,
  'serve.mode': HARMLESS,
  'serve.check': says<boolean>((is) =>
    is ? undefined : 'leave the arguments of calls through the gateway unchecked',
  ),
};

/** What a block of settings does, in plain words, and the keys of it that do nothing of this kind. */
export interface SettingEffects {
  readonly effects: readonly string[];
  readonly others: readonly string[];
}

/** Says of each setting that widens rights or sends anything anywhere what it does. */
export function effectsOf(settings: ToolfoldSettings): SettingEffects {
  const found = Object.entries(settings).map(([key, value]) => ({
    key,
    effects: within(value, key, key),
  }));
  return {
    effects: found.flatMap(({ effects }) => effects),
    others: found.flatMap(({ key, effects }) => (effects.length === 0 ? [key] : [])),
  };
}

function within(value: unknown, path: string, name: string): string[] {
  const effect = EFFECTS[path];
  const own = typeof effect === 'function' ? effect(value, name) : undefined;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = Object.entries(isObject ? value : {}).flatMap(([key, member]) =>
    Object.hasOwn(EFFECTS, `${path}.*`)
      ? within(member, `${path}.*`, key)
      : within(member, `${path}.${key}`, name),
  );
  return [...(own === undefined ? [] : [own]), ...members];
}
