import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { CallObserver } from '@toolfold/core/internal/host';
import {
  checkLayerOptionNames,
  isSettings,
  LAYER,
  LAYER_OPTIONS,
  type ToolLayerOptions,
} from '@toolfold/core/internal/session';
import { isLegalName, MIN_RESULT_LENGTH } from '@toolfold/core/internal/tool';
import {
  checkKnown,
  checkValues,
  isRecord,
  type KnownOptions,
  mostSimilar,
  type OptionCheck,
  oneLine,
  ownProperties,
  ownProperty,
} from '@toolfold/core/internal/values';
import type { ToolSet } from 'ai';
import { problemOfTool, refuse } from '../tool-set/index.ts';
import type { FoldOptions, WithOptions } from './options.ts';

/** The options of a fold that a layer does not have. */
const OWN_OPTIONS: KnownOptions<Omit<FoldOptions<ToolSet>, keyof ToolLayerOptions>> = {
  capabilities: true,
  prices: true,
  resultFiles: true,
  frameResults: true,
  maxResultLength: true,
  hide: true,
  onRequest: true,
  loads: true,
  cache: true,
};

/** All that `createFold` takes. */
export const FOLD_OPTIONS: KnownOptions<FoldOptions<ToolSet>> = {
  ...LAYER_OPTIONS,
  ...OWN_OPTIONS,
};

/** All that `fold.with` takes. */
export const WITH_OPTIONS: KnownOptions<WithOptions> = {
  role: true,
  state: true,
  contextWindow: true,
  strategy: true,
  loads: true,
  cache: true,
  images: true,
  only: true,
  without: true,
  parent: true,
  execute: true,
  preload: true,
  notice: true,
  onRequest: true,
  history: true,
  onFallback: true,
  onExecute: true,
  runWith: true,
  callHost: true,
  hooks: true,
  toolApproval: true,
  observers: true,
  onMismatch: true,
};

const CACHE_SETTING =
  '"auto", false or { ttl?: "5m" or "1h", key?: a text that is not blank }, such as { ttl: "1h" }';

function isCacheSetting(cache: unknown): boolean {
  if (cache === 'auto' || cache === false) return true;
  if (!isRecord(cache) || !isSettings(cache)) return false;
  const { ttl, key, ...others } = cache;
  return (
    Object.keys(others).length === 0 &&
    (ttl === undefined || ttl === '5m' || ttl === '1h') &&
    (key === undefined || (typeof key === 'string' && key.trim() !== ''))
  );
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Whether a value is a list of rows about models, with lists under these keys. */
const isRows =
  (...lists: readonly string[]) =>
  (rows: unknown): boolean =>
    Array.isArray(rows) &&
    rows.every(
      (row: unknown) =>
        ['provider', 'model'].every((key) => typeof ownProperty(row, key) === 'string') &&
        lists.every((key) => Array.isArray(ownProperty(row, key))),
    );

const VALUES: Readonly<Record<keyof typeof OWN_OPTIONS | 'tools' | 'groups', OptionCheck>> = {
  // Groups that change have a check of their own.
  groups: [isObject, 'a list of groups'],
  tools: [isSettings, 'an object of tools by name, such as { find: tool({ … }) }'],
  capabilities: [isRows('forms'), 'a list of `{ provider, model, forms }`'],
  prices: [isRows(), 'a list of `{ provider, model, … }`'],
  resultFiles: [
    isRows('inResult', 'inMessage'),
    'a list of `{ provider, model, inResult, inMessage }`',
  ],
  frameResults: [(value) => typeof value === 'boolean', 'true or false'],
  maxResultLength: [
    (value) => typeof value === 'number' && value >= MIN_RESULT_LENGTH,
    `a number of characters, ${MIN_RESULT_LENGTH} or more`,
  ],
  hide: [isFunction, 'a function that takes and returns a text'],
  onRequest: [isFunction, 'a function'],
  loads: [(value) => value === 'model-call' || value === 'steps', '"model-call" or "steps"'],
  cache: [isCacheSetting, CACHE_SETTING],
};

const TOOL: Readonly<Record<string, OptionCheck>> = {
  inputSchema: [
    isSchema,
    'a schema of zod or of another library of Standard Schema, or `jsonSchema({ … })` of the AI SDK',
  ],
  execute: [isFunction, 'a function'],
};

/** Throws `invalid-option` for an option that `createFold` does not have, and for a value that one cannot have. */
export function checkFoldOptions(options: object): void {
  checkLayerOptionNames('createFold()', options, OWN_OPTIONS);
  checkValues('', options, { ...VALUES, search: LAYER.search, onWarning: LAYER.onWarning });
  for (const [name, tool] of Object.entries(ownProperties(ownProperty(options, 'tools')))) {
    const option = `tools.${oneLine(name, 80)}`;
    if (!isRecord(tool))
      throw invalidOption(
        option,
        'a tool, such as `tool({ … })`; leave out the name of a tool that is not there',
      );
    // A tool may be an instance of a class.
    for (const [key, [isFine, expected]] of Object.entries(TOOL)) {
      const value = tool[key] ?? undefined;
      if (value !== undefined && !isFine(value)) throw invalidOption(`${option}.${key}`, expected);
    }
    refuse(option, problemOfTool(tool, 'map'));
  }
}

/** Whether the AI SDK can read a schema. A function returns one when it is needed. */
function isSchema(value: unknown): boolean {
  if (isFunction(value)) return true;
  return isRecord(value) && ('~standard' in value || Symbol.for('vercel.ai.schema') in value);
}

/** Throws `invalid-option` for an option that `fold.with` does not have. */
export function checkWithOptions(options: object): void {
  checkKnown('fold.with()', options, WITH_OPTIONS);
  checkValues('', options, WITH_VALUES);
  checkObservers(ownProperty(options, 'observers'));
}

const { loads, cache, onRequest } = VALUES;
const FUNCTION: OptionCheck = [isFunction, 'a function'];
const OBJECT: OptionCheck = [isSettings, 'an object'];
/** The others have checks of their own. */
const WITH_VALUES: Partial<Readonly<Record<keyof WithOptions, OptionCheck>>> = {
  role: [(value) => typeof value === 'string', 'the name of a role'],
  strategy: LAYER.strategy,
  images: [(value) => typeof value === 'boolean', 'true or false'],
  loads,
  cache,
  parent: OBJECT,
  execute: [
    (value) => isSettings(value) && Object.values(value as object).every(isFunction),
    'an object of functions by tool name',
  ],
  preload: FUNCTION,
  notice: FUNCTION,
  onRequest,
  history: OBJECT,
  onFallback: FUNCTION,
  onExecute: FUNCTION,
  runWith: FUNCTION,
  callHost: FUNCTION,
  hooks: OBJECT,
  onMismatch: [(value) => value === 'error' || value === 'new-epoch', '"error" or "new-epoch"'],
};

const OBSERVER: KnownOptions<CallObserver> = { started: true, settled: true };

function checkObservers(given: unknown): void {
  if (given === undefined) return;
  for (const observer of Array.isArray(given) ? given : [given]) {
    if (!isRecord(observer) || !isSettings(observer))
      throw invalidOption('observers', 'an object or a list of objects');
    checkKnown('observers of fold.with()', observer, OBSERVER);
    for (const key of Object.keys(OBSERVER)) {
      const value = observer[key];
      if (value !== undefined && typeof value !== 'function')
        throw invalidOption(`observers.${key}`, 'a function');
    }
  }
}

/** The names that a `toolApproval` may have. */
interface ApprovalNames {
  /** The names of all tools of the fold and of its bridge tools. */
  readonly known: () => Iterable<string>;
  /** The names of bridge tools that call another tool. */
  readonly dispatchers: readonly string[];
  /** Whether a tool of this name may come later. */
  readonly mayCome: (name: string) => boolean;
}

/**
 * Throws `invalid-option` for a name in `toolApproval` that decides about no call: no tool has it or may get it, or it
 * is that of a dispatcher. The tool that was meant would run unasked. Returns the names that no tool has yet.
 */
export function checkApprovalNames(
  setting: unknown,
  { known, dispatchers, mayCome }: ApprovalNames,
): string[] {
  if (setting === undefined || typeof setting === 'function') return [];
  // What an object inherits would not be read.
  if (!isPlainObject(setting))
    throw invalidOption(
      'toolApproval',
      'a function, or a plain object with a status or function by tool name',
    );
  const names = new Set(known());
  const given = Object.getOwnPropertyNames(setting).filter(
    (name) => (setting[name] ?? undefined) !== undefined,
  );
  const dispatcher = given.find((name) => dispatchers.includes(name));
  if (dispatcher !== undefined)
    throw new ToolfoldError(
      'invalid-option',
      `\`toolApproval\` names "${dispatcher}", and a call through it is a call of the tool that it names.`,
      'Name that tool. A function is asked about every call.',
    );
  const unknown = given.filter((name) => !names.has(name));
  const wrong = unknown.find((name) => !isLegalName(name) || !mayCome(name));
  if (wrong === undefined) return unknown;
  const near = mostSimilar(wrong, [...names]);
  const hint =
    near === undefined
      ? 'Name a tool of the fold. A function is asked about every call.'
      : `Did you mean "${near}"?`;
  throw new ToolfoldError(
    'invalid-option',
    `\`toolApproval\` names "${oneLine(wrong, 80)}", and there is no such tool.`,
    /[*?]/.test(wrong)
      ? 'It takes no globs: name each tool, or give a function, which is asked about every call.'
      : hint,
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Of any realm.
  return prototype === null || Object.hasOwn(prototype as object, 'isPrototypeOf');
}
