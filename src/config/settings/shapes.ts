import { z } from 'zod';
import { name } from './values.ts';

/** A schema for every key of a type: the compiler refuses a shape that lacks one. */
export type Shape<T> = { readonly [Key in keyof T]-?: z.ZodType<T[Key]> };

/** Between the keys of an object, in what is said of a key that it does not have. */
export const KEYS_BETWEEN = ', ';

type RequiredKey<T> = {
  [Key in keyof T]-?: undefined extends T[Key] ? never : Key & string;
}[keyof T];

/** An object with these keys and no others; only those of `required` have to be there. */
export function objectOf<T extends object>(
  shape: Shape<T>,
  required: readonly RequiredKey<T>[] = [],
): z.ZodType<T> {
  const members = Object.entries<z.ZodType>(shape).map(([key, schema]) => [
    key,
    required.some((one) => one === key) ? schema : schema.optional(),
  ]);
  const keys = Object.keys(shape);
  const expected = `an object with the keys ${keys.join(', ')}`;
  return z.strictObject(Object.fromEntries(members), {
    error: (issue) => (issue.code === 'unrecognized_keys' ? keys.join(KEYS_BETWEEN) : expected),
  }) as unknown as z.ZodType<T>;
}

/** An object whose keys are names that the user chooses. */
export function recordOf<T>(schema: z.ZodType<T>): z.ZodType<Readonly<Record<string, T>>> {
  return z.record(name, schema, 'an object');
}

/** The value, or `false` for none. */
export function orFalse<T>(schema: z.ZodType<T>, expected: string): z.ZodType<T | false> {
  return z.union([schema, z.literal(false)], expected);
}
