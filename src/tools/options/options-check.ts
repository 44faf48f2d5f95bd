import { invalidOption } from '../../errors.ts';
import { isLegalName } from '../names/index.ts';
import { checkGroups } from '../tool/index.ts';
import { isRecord } from '../values/index.ts';
import { checkKnown, type KnownOptions } from './known-options.ts';
import type { ToolLayerOptions } from './layer-options.ts';
import type { SessionOptions } from './session-options.ts';

const EXPOSURES: readonly unknown[] = ['inline', 'deferred', 'hidden'];

/** The rule for one option. Rules apply only to options that are given. */
type Rule = readonly [
  option: string,
  value: unknown,
  isFine: (value: unknown) => boolean,
  expected: string,
];

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const LAYER_OPTIONS: KnownOptions<ToolLayerOptions> = {
  tools: true,
  groups: true,
  roles: true,
  strategy: true,
  exposure: true,
  catalog: true,
  search: true,
  countTokens: true,
  names: true,
  limits: true,
  auto: true,
  loaderCache: true,
  patience: true,
  onToolsExpanded: true,
  onCall: true,
  onWarning: true,
};

/** Settings of a configuration file for other parts: an app may spread all of them into a layer. */
export const OTHERS_SETTINGS = {
  categories: true,
  routing: true,
  maxRounds: true,
  models: true,
  approvals: true,
  subagents: true,
  servers: true,
} as const;

/** Throws `invalid-option` for an option that a layer does not have; `more` are those of its host. */
export function checkLayerOptionNames(
  owner: string,
  options: unknown,
  more: Readonly<Record<string, true>> = {},
): void {
  checkKnown(owner, options, { ...LAYER_OPTIONS, ...more }, OTHERS_SETTINGS);
}

/** Throws `invalid-option` for the first option of a layer that is not what its type says. */
export function checkLayerOptions(options: ToolLayerOptions): void {
  checkLayerOptionNames('createToolLayer()', options);
  const { groups, tools, catalog, countTokens, search, limits, exposure, roles, patience } =
    options;
  if (groups !== undefined) checkGroups(groups);
  check([
    ['tools', tools, Array.isArray, 'a list of tools'],
    [
      'catalog.budget',
      catalog?.budget,
      (value) => typeof value === 'number' && value >= 0,
      'tokens, 0 or more',
    ],
    ['patience', patience, isPositive, 'milliseconds, more than 0'],
    ['countTokens', countTokens, isFunction, 'a function from text to tokens'],
    [
      'search',
      search,
      (value) => isRecord(value) && isFunction(value.index) && isFunction(value.search),
      'an object with `index` and `search`',
    ],
    ...entries('limits', limits, isPositive, 'a positive number of tokens'),
    ...entries(
      'exposure',
      exposure,
      (value) => EXPOSURES.includes(value),
      'inline, deferred or hidden',
    ),
    ...entries('roles', roles, isRole, '{ tools?: globs or false, groups?: ids }'),
  ]);
  for (const tool of tools ?? []) {
    const name = String(tool?.name ?? '');
    check([
      [
        'tools',
        name,
        () => isLegalName(name),
        `names of 1 to 64 of A-Z a-z 0-9 _ -; "${name}" is not`,
      ],
    ]);
  }
}

/** Throws `invalid-option` for the first option of a session that is not what its type says. */
export function checkSessionOptions({ contextWindow, state, only, without }: SessionOptions): void {
  check([
    ['contextWindow', contextWindow, isPositive, 'a positive number of tokens'],
    ['state', state, isState, 'what `state()` returned'],
    ['only', only, isTexts, 'a list of globs'],
    ['without', without, isTexts, 'a list of globs'],
  ]);
}

function check(rules: readonly Rule[]): void {
  for (const [option, value, isFine, expected] of rules) {
    if (value === undefined || isFine(value)) continue;
    throw invalidOption(option, expected);
  }
}

function entries(
  option: string,
  values: unknown,
  isFine: (value: unknown) => boolean,
  expected: string,
): Rule[] {
  if (values !== undefined && !isRecord(values)) check([[option, values, isRecord, 'an object']]);
  return Object.entries(values ?? {}).map(([key, value]) => [
    `${option}.${key}`,
    value,
    isFine,
    expected,
  ]);
}

function isRole(role: unknown): boolean {
  if (!isRecord(role)) return false;
  const { tools, groups } = role;
  return (
    (tools === undefined || tools === false || isTexts(tools)) &&
    (groups === undefined || isTexts(groups))
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
