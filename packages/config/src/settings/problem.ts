import { nearNames } from '@toolfold/core/internal/near-names.ts';
import { isRecord } from '@toolfold/core/internal/values';
import type * as z from '../schemas.ts';
import { KEYS_BETWEEN } from './values.ts';

export type Path = readonly PropertyKey[];

/** The first thing that is wrong with a value. */
export interface SettingProblem {
  /** The path of the value. For an unknown key: the path of the object, then the key. */
  readonly path: Path;
  /** `key`: an unknown key. `name`: a name that is not allowed. `empty`: an empty list or object. */
  readonly kind: 'value' | 'key' | 'name' | 'empty';
  /** What was expected. For an unknown key: the known keys. */
  readonly expected: string;
  /** The known name that is most similar. */
  readonly near: string | undefined;
}

type Issue = z.core.$ZodIssue;

/** Reports an unknown key first: a misspelt key is often the reason why another key is missing. */
export function problemIn(
  issues: readonly Issue[],
  value: unknown,
  above: Path = [],
): SettingProblem {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const path = [...above, ...(issue?.path ?? [])];
  const expected = issue?.message ?? 'another value';
  if (issue?.code === 'unrecognized_keys') return unknownKey(path, issue.keys[0] ?? '', expected);
  if (issue?.code === 'invalid_key') return { path, kind: 'name', expected, near: undefined };
  const inside = issue?.code === 'invalid_union' ? issue.errors.filter(isInside) : [];
  // The form that knows all keys is meant.
  const isKnown = (some: readonly Issue[]) =>
    some.every(({ code }) => code !== 'unrecognized_keys');
  const branch = inside.find(isKnown) ?? inside[0];
  if (branch) return problemIn(branch, value, path);
  const found = valueAt(value, path);
  const allowed = issue && typeof found === 'string' ? allowedBy(issue) : [];
  const [near] = typeof found === 'string' ? nearNames(found, allowed, 1) : [];
  return { path, kind: isEmpty(issue, found) ? 'empty' : 'value', expected, near };
}

function unknownKey(path: Path, key: string, keys: string): SettingProblem {
  const [near] = nearNames(key, keys.split(KEYS_BETWEEN), 1);
  return { path: [...path, key], kind: 'key', expected: keys, near };
}

/** Whether the value is an empty list or object that must not be empty. */
function isEmpty(issue: Issue | undefined, found: unknown): boolean {
  const isOfRightKind = issue?.code === 'too_small' || issue?.code === 'custom';
  const isRecordOrList = Array.isArray(found) || isRecord(found);
  return isOfRightKind && isRecordOrList && Object.keys(found).length === 0;
}

/** Whether the value has the right kind for this branch of a union, and the error is inside it. */
function isInside(issues: readonly Issue[]): boolean {
  return issues.some(
    ({ code, path }) => path.length > 0 || code === 'unrecognized_keys' || code === 'custom',
  );
}

/** The allowed strings, if the value must be one of a fixed list. */
function allowedBy(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(allowedBy);
  if (issue.code !== 'invalid_value') return [];
  return issue.values.filter((value) => typeof value === 'string');
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isRecord(found) && Object.hasOwn(found, key)) found = found[String(key)];
    else return undefined;
  }
  return found;
}
