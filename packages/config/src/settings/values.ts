import * as z from '../schemas.ts';

/**
 * The types of setting values. The message of each names the expected value; the caller puts
 * "Expected" before it and adds the value found.
 */
export const flag: z.ZodMiniType<boolean> = z.boolean('true or false');

export const text: z.ZodMiniType<string> = z.string('a string');

export const NOT_BLANK = 'a string that is not blank';

/** A name or a glob. A blank one is refused: usually a variable was not set. */
export const name: z.ZodMiniString = z.string(NOT_BLANK).check(z.regex(/\S/, NOT_BLANK));

export const names: z.ZodMiniType<readonly string[]> = z.array(name, 'a list of strings');

export const count: z.ZodMiniType<number> = wholeNumber(1);

const AMOUNT = 'a number, 0 or more';
const ABOVE_ZERO = 'a number above 0';

/** Zod accepts only finite numbers. A number in JSON with too many digits would become infinite. */
export const money: z.ZodMiniType<number> = z.number(AMOUNT).check(z.minimum(0, AMOUNT));

export const moneyAboveZero: z.ZodMiniType<number> = z
  .number(ABOVE_ZERO)
  .check(z.gt(0, ABOVE_ZERO));

/** A whole number from `least` to `most`. */
export function wholeNumber(
  least: number,
  most?: number,
  expected: string = most === undefined
    ? `a whole number of at least ${least}`
    : `a whole number from ${least} to ${most}`,
): z.ZodMiniType<number> {
  const number = z.int(expected).check(z.minimum(least, expected));
  return most === undefined ? number : number.check(z.maximum(most, expected));
}

export function oneOf<T extends string>(allowed: readonly T[]): z.ZodMiniType<T> {
  return z.enum(allowed, `one of ${allowed.join(', ')}`) as unknown as z.ZodMiniType<T>;
}

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
