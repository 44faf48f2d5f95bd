import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { LOG_LEVELS } from '@toolfold/core/internal/tool';
import {
  checkKnown,
  checkValues,
  isRecord,
  type OptionCheck,
  ownProperty,
} from '@toolfold/core/internal/values';
import type { RequestOptions } from '../requests/index.ts';
import type { PoolOptions } from './contract.ts';

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const TIME: OptionCheck = [isTime, 'a number of milliseconds, 0 or more'];
const STARTS: readonly unknown[] = ['due', 'missing', 'none'] satisfies PoolOptions['starts'][];
const ELICITATION: readonly unknown[] = ['form', 'url'] satisfies RequestOptions['elicitation'][];

/** The options of a pool. */
export const POOL_OPTIONS: Readonly<Record<keyof PoolOptions, OptionCheck>> = {
  manifests: [
    (value) =>
      value === false || (isRecord(value) && isFunction(value.load) && isFunction(value.save)),
    'an object with `load` and `save`, or false',
  ],
  idleTime: TIME,
  timeout: TIME,
  logins: [(value) => value === false || isRecord(value), 'an object, or false'],
  requests: [isRecord, 'an object, such as { elicitation: "form" }'],
  starts: [(value) => STARTS.includes(value), '"due", "missing" or "none"'],
  onEvent: [isFunction, 'a function'],
};

const REQUESTS: Readonly<Record<keyof RequestOptions, OptionCheck>> = {
  elicitation: [(value) => ELICITATION.includes(value), '"form" or "url"'],
  sampling: [(value) => typeof value === 'boolean', 'true or false'],
  roots: [
    (value) => Array.isArray(value) && value.every((root) => typeof root === 'string'),
    'a list of absolute paths',
  ],
  logLevel: [
    (value) => (LOG_LEVELS as readonly unknown[]).includes(value),
    `one of ${LOG_LEVELS.join(', ')}`,
  ],
  answerTime: TIME,
  relay: [isRecord, 'an object with `capabilities`, `ask` and `tell`'],
  host: [isRecord, 'a host of calls'],
};

/** Throws `invalid-option` for options that a pool does not have, and for values that one cannot have. */
export function checkPool(
  owner: string,
  options: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
): void {
  checkKnown(owner, options, checks);
  checkValues('', options as object, checks);
  const requests = ownProperty(options, 'requests') ?? {};
  checkKnown('The option "requests"', requests, REQUESTS);
  checkValues('requests.', requests, REQUESTS);
}

/** Throws `invalid-option` for what is no configuration. */
export function checkConfig(config: unknown): void {
  if (isRecord(config) && config.servers instanceof Map) return;
  throw new ToolfoldError(
    'invalid-option',
    'The configuration of the servers is missing, or has no map `servers`.',
    'Pass what `readConfig()` resolves with, such as createServerPool(await readConfig("mcp.json")).',
  );
}
