import { invalidOption } from '@toolfold/core/internal/errors.ts';
import { checkKnown, checkValues, type OptionCheck } from '@toolfold/core/internal/values';

/** A check for each option of a type. A missing name is a compile error. */
export type OptionChecks<OPTIONS> = Readonly<Record<keyof OPTIONS, OptionCheck>>;

export const A_TEXT: OptionCheck = [(value) => typeof value === 'string', 'a string'];
export const A_FUNCTION: OptionCheck = [isFunction, 'a function'];
export const A_TRUTH: OptionCheck = [(value) => typeof value === 'boolean', 'true or false'];
export const A_TIME: OptionCheck = [Number.isFinite, 'a number of milliseconds'];

/** Throws `invalid-option` for the first option that the function `owner` does not know, or whose value is wrong. */
export function checkOptions<OPTIONS extends object>(
  owner: string,
  options: OPTIONS,
  checks: OptionChecks<OPTIONS>,
): void {
  checkKnown(owner, options, checks);
  checkValues('', options, checks);
}

/** Throws `invalid-option` for what is no store. */
export function checkStore(store: unknown): void {
  const isObject = typeof store === 'object' && store !== null;
  // A store of an app may be a class, whose functions are not its own.
  if (isObject && isFunction(Reflect.get(store, 'create')) && isFunction(Reflect.get(store, 'get')))
    return;
  throw invalidOption(
    'store',
    'a store of sessions, such as `memoryStore()`; await one that is a promise',
  );
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
