import { invalidOption, ToolfoldError } from '../../errors.ts';
import { checkKnown, isLegalName, type KnownOptions } from '../names/index.ts';
import { checkGroups } from '../tool/index.ts';
import { isRecord } from '../values/index.ts';
import type { ToolLayerOptions } from './layer-options.ts';
import type { SessionOptions } from './session-options.ts';

/** The rule for one option. It applies if the option is given. */
type Check = readonly [isFine: (value: unknown) => boolean, expected: string];

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
const isText = (value: unknown): boolean => typeof value === 'string';
const isGlob = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isGlobs = (value: unknown): boolean => Array.isArray(value) && value.every(isGlob);

/** Whether the value has the two methods of a search. */
function isSearch(value: unknown): boolean {
  return isRecord(value) && isFunction(value.index) && isFunction(value.search);
}

const FUNCTION: Check = [isFunction, 'a function'];
const OBJECT: Check = [isRecord, 'an object'];
/** Refuses blank globs: they match nothing, so a tool that they should remove would stay. */
const GLOBS: Check = [isGlobs, 'a list of globs, none of them blank'];

const LAYER: { readonly [Key in keyof ToolLayerOptions]-?: Check } = {
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
  loaderCache: OBJECT,
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

type KnownChecks<T> = { readonly [Key in keyof NonNullable<T>]-?: Check };

const EXPOSURES: readonly unknown[] = ['inline', 'deferred', 'hidden'];
const LIMIT: Check = [isPositive, 'a positive number of tokens'];
const EXPOSURE: Check = [(value) => EXPOSURES.includes(value), 'inline, deferred or hidden'];
const ROLE: Check = [
  isRole,
  'only { tools?: globs or false, groups?: ids, model?: name, maxRounds?: number }',
];

const SESSION: { readonly [Key in keyof SessionOptions]?: Check } = {
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
  checkEach('', options, LAYER);
  const { groups, tools = [], catalog = {}, limits = {}, exposure = {}, roles = {} } = options;
  if (groups !== undefined) checkGroups(groups);
  checkEach('catalog.', catalog, CATALOG);
  for (const [values, option, rule] of [
    [limits, 'limits', LIMIT],
    [exposure, 'exposure', EXPOSURE],
    [roles, 'roles', ROLE],
  ] as const) {
    if (!Object.keys(values).every(isGlob)) throw invalidOption(option, 'no blank key');
    checkEach(
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
  checkEach('', options, SESSION);
}

function checkEach(path: string, options: object, checks: Readonly<Record<string, Check>>): void {
  const values = new Map<string, unknown>(Object.entries(options));
  for (const [option, [isFine, expected]] of Object.entries(checks)) {
    const value = values.get(option);
    if (value !== undefined && !isFine(value)) throw invalidOption(`${path}${option}`, expected);
  }
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
  return (
    isRecord(state) &&
    isRecord(state.expandedGroups) &&
    (state.appended === undefined || isTexts(state.appended)) &&
    Object.values(state.expandedGroups).every((names) => names === null || isTexts(names))
  );
}
