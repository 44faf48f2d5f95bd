import { isRecord } from '../../values/index.ts';
import type { Run } from './run.ts';

/** The work to compare two values, without their members, and the characters compared in one unit. */
const COMPARE = 0.1;
const CHARACTERS = 5_000;

/** Whether two JSON values are equal. The order of names does not matter. */
export function deepEqual(one: unknown, other: unknown, run: Run): boolean {
  if (typeof one === 'string') run.spend(one.length / CHARACTERS);
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    run.spend(COMPARE);
    return (
      one.length === other.length && one.every((item, index) => deepEqual(item, other[index], run))
    );
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  run.spend(COMPARE * (2 + names.length));
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && deepEqual(one[name], other[name], run))
  );
}
