import type { z } from 'zod';
import { nearNames } from '../tools/near/index.ts';
import { isRecord } from '../tools/values/index.ts';
import { KEYS_BETWEEN } from './settings/index.ts';

export type Path = readonly PropertyKey[];

/** The first thing that is wrong with a value. */
export interface Problem {
  /** Of the value; where a key is at fault, of the object and then the key. */
  readonly path: Path;
  /** `key`: nobody knows this key. `name`: a name of the user's that cannot be one. `empty`: a list or an object. */
  readonly kind: 'value' | 'key' | 'name' | 'empty';
  /** What was expected; of a key those that there are. */
  readonly expected: string;
  /** What was probably meant. */
  readonly near: string | undefined;
}

type Issue = z.core.$ZodIssue;

/** A key that is spelt wrong says why another one is missing: it is told first. */
export function problemIn(issues: readonly Issue[], value: unknown, above: Path = []): Problem {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const path = [...above, ...(issue?.path ?? [])];
  const expected = issue?.message ?? 'another value';
  if (issue?.code === 'unrecognized_keys') return unknownKey(path, issue.keys[0] ?? '', expected);
  if (issue?.code === 'invalid_key') return { path, kind: 'name', expected, near: undefined };
  const branch = issue?.code === 'invalid_union' ? issue.errors.find(isInside) : undefined;
  if (branch) return problemIn(branch, value, path);
  const found = valueAt(value, path);
  const allowed = issue && typeof found === 'string' ? allowedBy(issue) : [];
  const [near] = typeof found === 'string' ? nearNames(found, allowed, 1) : [];
  return { path, kind: isEmpty(issue, found) ? 'empty' : 'value', expected, near };
}

function unknownKey(path: Path, key: string, keys: string): Problem {
  const [near] = nearNames(key, keys.split(KEYS_BETWEEN), 1);
  return { path: [...path, key], kind: 'key', expected: keys, near };
}

/** Whether there should be something in it. */
function isEmpty(issue: Issue | undefined, found: unknown): boolean {
  const isOfRightKind = issue?.code === 'too_small' || issue?.code === 'custom';
  const isRecordOrList = Array.isArray(found) || isRecord(found);
  return isOfRightKind && isRecordOrList && Object.keys(found).length === 0;
}

/** Whether a form of several was the one that was meant: its kind is right, what is in it is not. */
function isInside(issues: readonly Issue[]): boolean {
  return issues.some(
    ({ code, path }) => path.length > 0 || code === 'unrecognized_keys' || code === 'custom',
  );
}

/** The texts that the value may be, where these are the only ones. */
function allowedBy(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(allowedBy);
  if (issue.code !== 'invalid_value') return [];
  return issue.values.filter((value) => typeof value === 'string');
}

/** What stands at a path, if anything does. */
function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isRecord(found) && Object.hasOwn(found, key)) found = found[String(key)];
    else return undefined;
  }
  return found;
}
