import { errorMessage, invalidOption, ToolfoldError } from '../errors.ts';
import type { ExposureRules, LoaderCache, Role } from '../registry/index.ts';
import type {
  AutoOptions,
  CatalogForm,
  KnownPrices,
  SettingsCheck,
  ToolState,
} from '../request/index.ts';
import type { ToolSearch } from '../search/index.ts';
import {
  type AcceptedTools,
  type AppendForm,
  type BridgeNames,
  checkGroups,
  type DeferredToolGroup,
  isLegalName,
  type Limits,
  type StrategyChoice,
  type TokenCounter,
  type Tool,
} from '../tool/index.ts';
import type { CallEvent } from '../transcript/index.ts';
import {
  checkKnown,
  checkValues,
  isRecord,
  type KnownOptions,
  type OptionCheck,
  onDemand,
} from '../values/index.ts';
import type { IgnoredSettings, IgnoredSettingsOptions } from './ignored-settings.ts';

export interface ToolLayerOptions {
  /** The app's own tools, in the order in which they are declared. */
  readonly tools?: readonly Tool[] | undefined;
  readonly groups?: readonly DeferredToolGroup[] | undefined;
  readonly roles?: Readonly<Record<string, Role>> | undefined;
  /** `auto` if left out; `false` is `eager`, the off switch. */
  readonly strategy?: StrategyChoice | undefined;
  /** Rules by glob; see `matchesTool`. The last rule that matches a tool wins. */
  readonly exposure?: ExposureRules | undefined;
  readonly catalog?: CatalogForm | undefined;
  /**
   * Replaces the built-in search, whose code is then not loaded: any object with `index` and `search`.
   * A function loads it once, when somebody searches; if it rejects, that search fails and the next one
   * tries again. Left out, a layer compares words; a fold compares words and word vectors, and
   * `lexical()` of `@toolfold/core/search` makes it compare words alone. Without `scale`, nothing is preloaded.
   */
  readonly search?: ToolSearch | (() => Promise<ToolSearch>) | undefined;
  /**
   * An exact counter for the model. An estimate of o200k tokens if left out. A fold throws
   * `invalid-option` when it is first used and returns no finite number.
   */
  readonly countTokens?: TokenCounter | undefined;
  /** Other names for bridge tools. */
  readonly names?: BridgeNames | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** The assumptions of `auto` about tasks and prices. */
  readonly auto?: Partial<AutoOptions> | undefined;
  readonly loaderCache?: LoaderCache | undefined;
  /**
   * How long the first request waits for loaders, in milliseconds, in forms of `native` that declare
   * all schemas. Tools that load later are added later. 5,000 if left out.
   */
  readonly patience?: number | undefined;
  /** Called with tools that the model has newly loaded. Must not throw; a fold reports a failure once as a warning. */
  readonly onToolsExpanded?: ((groupId: string, tools: readonly Tool[]) => void) | undefined;
  /** One event for every call that is routed, whether it runs or not. Must not throw; a fold reports a failure once as a warning. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  /**
   * Called with warnings for the developer: settings without effect, schemas that cannot be checked,
   * loaders that fail early. `false` silences them.
   */
  readonly onWarning?: ((text: string) => void) | false | undefined;
}

export interface SessionOptions {
  readonly role?: string;
  /** Globs that narrow the role. Other globs begin another epoch. */
  readonly only?: readonly string[];
  /** Globs of tools that are denied to the role. Other globs begin another epoch. */
  readonly without?: readonly string[];
  /** The model. It decides the names of bridge tools. A change of model begins a new epoch. */
  readonly modelId?: string;
  /** In tokens. */
  readonly contextWindow?: number;
  /** Overrides the option of the layer. */
  readonly strategy?: StrategyChoice;
  /** How the endpoint accepts tools in mid-conversation. If left out, `auto` does not choose `native`. */
  readonly append?: AppendForm;
  /**
   * Why the endpoint accepts no tools in mid-conversation. `native` then becomes `dispatch`
   * and says so.
   */
  readonly appendRefused?: string;
  /**
   * What the endpoint accepts among declared tools. A tool that it would refuse is called through a
   * dispatcher, or left out where the strategy has none. Ignored by `strategy: false`.
   */
  readonly accepts?: AcceptedTools;
  /** The prices of the model's cache, or `unknown`. The layer's `auto.prices` if left out. */
  readonly prices?: KnownPrices;
  /** An earlier result of `state()`. `null` is none. */
  readonly state?: ToolState | null;
  /**
   * What to do if the state was made under another strategy. The default is an error, or a new epoch and a warning where
   * one of the two declares everything.
   */
  readonly onMismatch?: 'error' | 'new-epoch';
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
/** What is iterable is no object of settings: its members would not be read. */
export const isSettings = (value: unknown): boolean =>
  isRecord(value) && !(Symbol.iterator in value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isGlob = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isGlobs = (value: unknown): boolean => Array.isArray(value) && value.every(isGlob);

/** Whether the value has the two methods of a search. */
function isSearch(value: unknown): boolean {
  return isRecord(value) && isFunction(value.index) && isFunction(value.search);
}

const FUNCTION: OptionCheck = [isFunction, 'a function'];
const OBJECT: OptionCheck = [isSettings, 'an object'];
/** Refuses blank globs: they match nothing, so a tool that they should remove would stay. */
const GLOBS: OptionCheck = [isGlobs, 'a list of globs, none of them blank'];

/** The rules for the options of a layer. */
export const LAYER: { readonly [Key in keyof ToolLayerOptions]-?: OptionCheck } = {
  tools: [Array.isArray, 'a list of tools'],
  groups: [Array.isArray, 'a list of groups'],
  roles: OBJECT,
  strategy: [(value) => isText(value) || value === false, 'the name of a strategy, or false'],
  exposure: OBJECT,
  catalog: OBJECT,
  search: [(value) => isFunction(value) || isSearch(value), 'a search, or a function'],
  countTokens: [isFunction, 'a function from text to tokens'],
  names: OBJECT,
  limits: OBJECT,
  auto: OBJECT,
  loaderCache: [
    (value) => isRecord(value) && isFunction(value.get),
    'what `loaderCache()` returned',
  ],
  patience: [isPositive, 'a positive number of ms'],
  onToolsExpanded: FUNCTION,
  onCall: FUNCTION,
  onWarning: [(value) => isFunction(value) || value === false, 'a function, or false'],
};

const CATALOG: KnownChecks<ToolLayerOptions['catalog']> = {
  header: [isText, 'a text'],
  budget: [(value) => typeof value === 'number' && value >= 0, 'tokens, 0 or more'],
  hints: [(value) => typeof value === 'boolean', 'true or false'],
  lines: FUNCTION,
};

type KnownChecks<T> = { readonly [Key in keyof NonNullable<T>]-?: OptionCheck };

const EXPOSURES: readonly unknown[] = ['inline', 'deferred', 'hidden'];
const LIMIT: OptionCheck = [isPositive, 'a positive number of tokens'];
const LIMITS: KnownChecks<ToolLayerOptions['limits']> = {
  load: LIMIT,
  search: LIMIT,
  append: LIMIT,
  schema: LIMIT,
};
const AUTO: KnownChecks<ToolLayerOptions['auto']> = {
  workload: OBJECT,
  prices: [(value) => isRecord(value) || value === 'unknown', 'prices, or "unknown"'],
  append: OBJECT,
};
const EXPOSURE: OptionCheck = [(value) => EXPOSURES.includes(value), 'inline, deferred or hidden'];
const ROLE: OptionCheck = [
  isRole,
  'only { tools?: globs or false, groups?: ids, model?: name, maxRounds?: number }',
];

const SESSION: { readonly [Key in keyof SessionOptions]?: OptionCheck } = {
  contextWindow: [isPositive, 'a positive number of tokens'],
  state: [isState, 'what `state()` returned'],
  only: GLOBS,
  without: GLOBS,
};

/** The names of a layer's options. */
export const LAYER_OPTIONS: KnownOptions<ToolLayerOptions> = namesOf(LAYER);

/** Settings of a configuration file that a layer ignores, because an app may spread the whole block. */
export const OTHERS_SETTINGS = [
  'cache',
  'categories',
  'routing',
  'maxRounds',
  'maxRequests',
  'maxTokens',
  'maxResultLength',
  'models',
  'projectInstructions',
  'providers',
  'titles',
  'approvals',
  'subagents',
  'servers',
  'currency',
  'notify',
  'serve',
] as const;

/** Throws `invalid-option` for an unknown option of a layer. `more`: the options of its host. */
export function checkLayerOptionNames(
  owner: string,
  options: unknown,
  more: Readonly<Record<string, true>> = {},
): void {
  checkKnown(owner, options, { ...LAYER_OPTIONS, ...more }, OTHERS_SETTINGS);
}

/** Throws `invalid-option` for the first option of a layer that does not match its type. */
export function checkLayerOptions(options: ToolLayerOptions): void {
  checkLayerOptionNames('createToolLayer()', options);
  checkValues('', options, LAYER);
  const { groups, tools = [], catalog = {}, limits = {}, auto = {} } = options;
  const { exposure = {}, roles = {} } = options;
  if (groups !== undefined) checkGroups(groups);
  checkKnown('The option "catalog"', catalog, CATALOG);
  checkValues('catalog.', catalog, CATALOG);
  checkKnown('The option "limits"', limits, LIMITS);
  checkValues('limits.', limits, LIMITS);
  checkKnown('The option "auto"', auto, AUTO);
  checkValues('auto.', auto, AUTO);
  for (const [values, option, rule] of [
    [exposure, 'exposure', EXPOSURE],
    [roles, 'roles', ROLE],
  ] as const) {
    if (!Object.keys(values).every(isGlob)) throw invalidOption(option, 'no blank key');
    checkValues(
      `${option}.`,
      values,
      Object.fromEntries(Object.keys(values).map((key) => [key, rule])),
    );
  }
  for (const tool of tools) {
    const name = String(tool?.name ?? '');
    if (!isLegalName(name)) throw illegalName(name);
  }
}

/** The error for a name that providers refuse, which is sent as the app wrote it. */
function illegalName(name: string): ToolfoldError {
  const odd = /[^A-Za-z0-9_-]/u.exec(name)?.[0];
  const why =
    odd === undefined
      ? `it has ${name.length} characters`
      : `it has the character ${JSON.stringify(odd)}`;
  const legal = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) || 'my_tool';
  return new ToolfoldError(
    'invalid-option',
    `The option "tools" has the name ${JSON.stringify(name.slice(0, 100))}, which providers refuse: ${why}.`,
    `Rename the tool, for example to "${legal}": providers take names of 1 to 64 characters of A-Z, a-z, 0-9, _ and -, and the name is sent as it is.`,
  );
}

/** Throws `invalid-option` for the first option of a session that does not match its type. */
export function checkSessionOptions(options: SessionOptions): void {
  checkValues('', options, SESSION);
}

function namesOf<T extends object>(checks: T): Readonly<Record<keyof T, true>> {
  return Object.fromEntries(Object.keys(checks).map((key) => [key, true])) as Record<keyof T, true>;
}

/** Refuses unknown keys of a role: a role with a misspelt `tools` could use all tools. */
const ROLE_KEYS: readonly string[] = ['tools', 'groups', 'model', 'maxRounds'];

function isRole(role: unknown): boolean {
  if (!isRecord(role)) return false;
  const { tools, groups } = role;
  return (
    Object.keys(role).every((key) => role[key] === undefined || ROLE_KEYS.includes(key)) &&
    (tools === undefined || tools === false || isGlobs(tools)) &&
    (groups === undefined || isGlobs(groups))
  );
}

function isState(state: unknown): boolean {
  if (state === null) return true;
  return (
    isRecord(state) &&
    isRecord(state.expandedGroups) &&
    (state.appended === undefined || isTexts(state.appended)) &&
    Object.values(state.expandedGroups).every((names) => names === null || isTexts(names))
  );
}

/** Checks for settings without effect. Their code is loaded with the first check, and only if somebody wants warnings. */
export function checkSettings(options: IgnoredSettingsOptions | undefined): SettingsCheck {
  let loaded: IgnoredSettings | undefined;
  const load = onDemand(async () => {
    const { IgnoredSettings } = await import('./ignored-settings.ts');
    loaded = new IgnoredSettings(options as IgnoredSettingsOptions);
    return loaded;
  });
  const use = (check: (ignored: IgnoredSettings) => void) => {
    if (!options) return;
    if (loaded) check(loaded);
    else Promise.resolve(load()).then(check, (error) => options.warn(errorMessage(error)));
  };
  return {
    checkStrategy: (...given) => use((ignored) => ignored.checkStrategy(...given)),
    checkDeclared: (...given) => use((ignored) => ignored.checkDeclared(...given)),
    checkGlobs: () => use((ignored) => ignored.checkGlobs()),
    setHostNames: (names) => use((ignored) => ignored.setHostNames(names)),
    addGlobs: (session) => use((ignored) => ignored.addGlobs(session)),
    addNames: (...given) => use((ignored) => ignored.addNames(...given)),
  };
}
