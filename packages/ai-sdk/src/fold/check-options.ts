import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { CallObserver } from '@toolfold/core/internal/host';
import {
  checkLayerOptionNames,
  LAYER_OPTIONS,
  type ToolLayerOptions,
} from '@toolfold/core/internal/session';
import { MIN_RESULT_LENGTH } from '@toolfold/core/internal/tool';
import {
  checkKnown,
  isRecord,
  type KnownOptions,
  mostSimilar,
  oneLine,
  ownProperty,
} from '@toolfold/core/internal/values';
import type { ToolSet } from 'ai';
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

const WITH_OPTIONS: KnownOptions<WithOptions> = {
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

/** Throws `invalid-option` for an option that `createFold` does not have, and for a wrong limit. */
export function checkFoldOptions(options: object): void {
  checkLayerOptionNames('createFold()', options, OWN_OPTIONS);
  const length: unknown = ownProperty(options, 'maxResultLength');
  const isFine = typeof length === 'number' && length >= MIN_RESULT_LENGTH;
  if (length !== undefined && !isFine)
    throw invalidOption('maxResultLength', `a number of characters, ${MIN_RESULT_LENGTH} or more`);
  checkResultFiles(ownProperty(options, 'resultFiles'));
  const hide: unknown = ownProperty(options, 'hide');
  if (hide !== undefined && typeof hide !== 'function')
    throw invalidOption('hide', 'a function that takes and returns a text');
  checkLoads(options);
  checkCache(options);
}

function checkResultFiles(rows: unknown): void {
  const isRow = (row: unknown) =>
    ['provider', 'model'].every((key) => typeof ownProperty(row, key) === 'string') &&
    ['inResult', 'inMessage'].every((key) => Array.isArray(ownProperty(row, key)));
  if (rows === undefined || (Array.isArray(rows) && rows.every(isRow))) return;
  throw invalidOption('resultFiles', 'a list of `{ provider, model, inResult, inMessage }`');
}

/** Throws `invalid-option` for an option that `fold.with` does not have. */
export function checkWithOptions(options: object): void {
  checkKnown('fold.with()', options, WITH_OPTIONS);
  const images = ownProperty(options, 'images');
  if (images !== undefined && typeof images !== 'boolean')
    throw invalidOption('images', 'true or false');
  checkObservers(ownProperty(options, 'observers'));
  checkLoads(options);
  checkCache(options);
}

const OBSERVER: KnownOptions<CallObserver> = { started: true, settled: true };

function checkObservers(given: unknown): void {
  if (given === undefined) return;
  for (const observer of Array.isArray(given) ? given : [given]) {
    if (!isRecord(observer)) throw invalidOption('observers', 'an object or a list of objects');
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
  /** Whether a tool of this name may come later. */
  readonly mayCome: (name: string) => boolean;
}

/**
 * Throws `invalid-option` for a name in `toolApproval` that no tool has or may get: the tool that was meant would
 * run unasked. Returns the names that no tool has yet.
 */
export function checkApprovalNames(setting: unknown, { known, mayCome }: ApprovalNames): string[] {
  if (setting === undefined || typeof setting === 'function') return [];
  if (!isRecord(setting) || setting instanceof Map)
    throw invalidOption(
      'toolApproval',
      'a function, or an object with a status or function by tool name',
    );
  const names = new Set(known());
  const given = Object.keys(setting).filter((name) => (setting[name] ?? undefined) !== undefined);
  const unknown = given.filter((name) => !names.has(name));
  const wrong = unknown.find((name) => !mayCome(name));
  if (wrong === undefined) return unknown;
  const near = mostSimilar(wrong, [...names]);
  throw new ToolfoldError(
    'invalid-option',
    `\`toolApproval\` names "${oneLine(wrong, 80)}", and there is no such tool.`,
    near === undefined
      ? 'Name a tool of the fold. A function is asked about every call.'
      : `Did you mean "${near}"?`,
  );
}

function checkLoads(options: object): void {
  const { loads } = options as { readonly loads?: unknown };
  if (loads !== undefined && loads !== 'model-call' && loads !== 'steps')
    throw invalidOption('loads', '"model-call" or "steps"');
}

function checkCache(options: object): void {
  const cache = ownProperty(options, 'cache');
  if (cache === undefined || cache === 'auto' || cache === false) return;
  const { ttl, key, ...others } = isRecord(cache) ? cache : { '': cache };
  const isFine =
    Object.keys(others).length === 0 &&
    (ttl === undefined || ttl === '5m' || ttl === '1h') &&
    (key === undefined || (typeof key === 'string' && key.trim() !== ''));
  if (!isFine)
    throw invalidOption(
      'cache',
      '"auto", false or { ttl?: "5m" or "1h", key?: a text that is not blank }, such as { ttl: "1h" }',
    );
}
