import type { z } from 'zod';
import { own } from '../tools/values/index.ts';
import { type Path, type Problem, problemIn } from './problem.ts';
import { NAMED } from './settings/index.ts';

/** A value that was checked, or the first thing that is wrong with it. */
export type Checked<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Problem };

/** Checks a value of any kind; never throws. */
export function check<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { value: parsed.data }
    : { problem: problemIn(parsed.error.issues, value) };
}

/**
 * As `check`, of settings or some of them. A name that objects cannot hold like any other is refused:
 * what is said under it would be lost.
 */
export function checkNamed<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const lost = NAMED.find((key) => own(own(value, key), '__proto__') !== undefined);
  return lost === undefined ? check(schema, value) : { problem: reserved([lost, '__proto__']) };
}

function reserved(path: Path): Problem {
  return { path, kind: 'name', expected: 'another name', near: undefined };
}
