import { ownProperty } from '@toolfold/core/internal/tools/values';
import { type Path, type Problem, problemIn, valueAt } from './problem.ts';
import type * as z from './schemas/index.ts';
import { NAMED } from './settings/index.ts';

/** A value that was checked, or the first thing that is wrong with it. */
export type Checked<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Problem };

/** Checks a value against a schema. Never throws. */
function check<T>(schema: z.ZodMiniType<T>, value: unknown): Checked<T> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { value: parsed.data }
    : { problem: problemIn(parsed.error.issues, value) };
}

/**
 * Like `check`, for an object of settings. Refuses the name `__proto__`: the parser would drop the
 * settings under it.
 */
export function checkNamed<T>(schema: z.ZodMiniType<T>, value: unknown): Checked<T> {
  const allow = ownProperty(ownProperty(value, 'approvals'), 'allow');
  const places: Path[] = [
    ...NAMED.map((key) => [key]),
    ...(Array.isArray(allow) ? allow : []).map((_, at) => ['approvals', 'allow', at, 'arguments']),
  ];
  const lost = places.find((path) => ownProperty(valueAt(value, path), '__proto__') !== undefined);
  return lost === undefined
    ? check(schema, value)
    : { problem: reservedKeyProblem([...lost, '__proto__']) };
}

function reservedKeyProblem(path: Path): Problem {
  return { path, kind: 'name', expected: 'another name', near: undefined };
}
