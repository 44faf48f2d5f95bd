import * as z from '../schemas/index.ts';
import { name } from './values.ts';

/** A schema for every key of a type. A missing key is a compile error. */
export type Shape<T> = { readonly [Key in keyof T]-?: z.ZodMiniType<T[Key]> };

/** Separates the known keys in the message about an unknown key. */
export const KEYS_BETWEEN = ', ';

type RequiredKey<T> = {
  [Key in keyof T]-?: undefined extends T[Key] ? never : Key & string;
}[keyof T];

/** An object with these keys and no others. Only the keys in `required` are required. */
export function objectOf<T extends object>(
  shape: Shape<T>,
  required: readonly RequiredKey<T>[] = [],
): z.ZodMiniType<T> {
  const members = Object.entries<z.ZodMiniType>(shape).map(([key, schema]) => [
    key,
    required.some((one) => one === key) ? schema : z.optional(schema),
  ]);
  const keys = Object.keys(shape);
  const expected = `an object with the keys ${keys.join(', ')}`;
  return z.strictObject(Object.fromEntries(members), {
    error: (issue) => (issue.code === 'unrecognized_keys' ? keys.join(KEYS_BETWEEN) : expected),
  }) as unknown as z.ZodMiniType<T>;
}

/** An object whose keys are names chosen by the user. */
export function recordOf<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<Readonly<Record<string, T>>> {
  return z.record(name, schema, 'an object');
}

/** The value, or `false`. */
export function orFalse<T>(schema: z.ZodMiniType<T>, expected: string): z.ZodMiniType<T | false> {
  return z.union([schema, z.literal(false)], expected);
}
