import { z } from 'zod';

/**
 * The types of setting values. The message of each names the expected value; the caller puts
 * "Expected" before it and adds the value found.
 */
export const flag: z.ZodType<boolean> = z.boolean('true or false');

export const text: z.ZodType<string> = z.string('a string');

export const NOT_BLANK = 'a string that is not blank';

/** A name or a glob. A blank one is refused: usually a variable was not set. */
export const name: z.ZodString = z.string(NOT_BLANK).regex(/\S/, NOT_BLANK);

export const names: z.ZodType<readonly string[]> = z.array(name, 'a list of strings');

export const count: z.ZodType<number> = wholeNumber(1);

const AMOUNT = 'a number, 0 or more';
const ABOVE_ZERO = 'a number above 0';

/** Zod accepts only finite numbers. A number in JSON with too many digits would become infinite. */
export const money: z.ZodType<number> = z.number(AMOUNT).min(0, AMOUNT);

export const moneyAboveZero: z.ZodType<number> = z.number(ABOVE_ZERO).gt(0, ABOVE_ZERO);

/** A whole number from `least` to `most`. */
export function wholeNumber(
  least: number,
  most?: number,
  expected: string = most === undefined
    ? `a whole number of at least ${least}`
    : `a whole number from ${least} to ${most}`,
): z.ZodType<number> {
  const number = z.int(expected).min(least, expected);
  return most === undefined ? number : number.max(most, expected);
}

export function oneOf<T extends string>(allowed: readonly T[]): z.ZodType<T> {
  return z.enum(allowed, `one of ${allowed.join(', ')}`) as unknown as z.ZodType<T>;
}
