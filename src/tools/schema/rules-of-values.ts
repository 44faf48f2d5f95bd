import { deepEqual } from './deep-equal.ts';
import type { Make } from './members.ts';
import type { Run } from './run.ts';

/** The characters counted in one unit of work, and the work of an exact division. */
const CHARACTERS = 300;
const DIVISION = 2;

/** The name of a value's type in JSON Schema, or in JavaScript if JSON does not have it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export const ofType: Make<unknown> = (members) => {
  const type = members.value('type');
  if (type === undefined) return;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const expected = types.join('", "');
  const hasInteger = types.includes('integer');
  return (value, spot) => {
    const actual = typeOf(value);
    if (types.includes(actual) || (hasInteger && isInteger(value))) return;
    spot.report(`Instance type "${actual}" is invalid. Expected "${expected}".`);
  };
};

/** JSON has numbers that are too large for JavaScript, which become infinite. */
function isInteger(value: unknown): boolean {
  return Number.isInteger(value) || Math.abs(Number(value)) === Number.POSITIVE_INFINITY;
}

export const ofConst: Make<unknown> = (members) => {
  const constant = members.value('const');
  if (constant === undefined) return;
  let text: string | undefined;
  return (value, spot) => {
    if (deepEqual(value, constant, spot.run)) return;
    text ??= `Instance does not match ${JSON.stringify(constant)}.`;
    spot.report(text);
  };
};

export const ofEnum: Make<unknown> = (members) => {
  const values = members.list('enum');
  if (!values) return;
  const plain = new Set(values);
  const others = values.filter((one) => typeof one === 'object' && one !== null);
  let text: string | undefined;
  return (value, spot) => {
    if (plain.has(value) || others.some((one) => deepEqual(value, one, spot.run))) return;
    text ??= `Instance does not match any of ${JSON.stringify(values)}.`;
    spot.report(text);
  };
};

/** A rule that compares a number, which it takes from the value, with the limit that a keyword sets. */
export function limit<Value>(
  keyword: string,
  measure: (value: Value, run: Run) => number,
  isBeyond: (size: number, limit: number) => boolean,
  text: (size: number, limit: number) => string,
): Make<Value> {
  return (members) => {
    const set = members.number(keyword);
    if (set === undefined) return;
    return (value, spot) => {
      const size = measure(value, spot.run);
      if (isBeyond(size, set)) spot.report(text(size, set));
    };
  };
}

const itself = (value: number) => value;

/** `minimum` or `maximum`, which another keyword makes exclusive in draft-04. */
function bound(word: string, keyword: string, exclusive: string, sign: 1 | -1): Make<number> {
  return (members) => {
    const set = members.number(keyword);
    if (set === undefined) return;
    const isOld = members.shared.draft === '4';
    const flag = isOld ? members.value(exclusive) : undefined;
    const than = isOld ? `than ${flag ? 'or equal to ' : ''} ` : 'than ';
    return (value, spot) => {
      const isBeyond = sign * value > sign * set || (flag === true && value === set);
      if (isBeyond) spot.report(`${value} is ${word} ${than}${set}.`);
    };
  };
}

/** Draft-04 has no numbers for these keywords. */
const unlessOld =
  (make: Make<number>): Make<number> =>
  (members) =>
    members.shared.draft === '4' ? undefined : make(members);

export const ofNumbers: readonly Make<number>[] = [
  bound('less', 'minimum', 'exclusiveMinimum', -1),
  bound('greater', 'maximum', 'exclusiveMaximum', 1),
  unlessOld(
    limit(
      'exclusiveMinimum',
      itself,
      (value, set) => value <= set,
      (value, set) => `${value} is less than ${set}.`,
    ),
  ),
  unlessOld(
    limit(
      'exclusiveMaximum',
      itself,
      (value, set) => value >= set,
      (value, set) => `${value} is greater than or equal to ${set}.`,
    ),
  ),
  limit(
    'multipleOf',
    (value, run) => {
      run.spend(DIVISION);
      return value;
    },
    (value, factor) => !isMultipleOf(value, factor),
    (value, factor) => `${value} is not a multiple of ${factor}.`,
  ),
];

/** Whether the decimal digits of a number are a multiple of those of another, without rounding. */
function isMultipleOf(value: number, factor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(factor)) return false;
  const [digits, exponent] = decimal(value);
  const [factorDigits, factorExponent] = decimal(factor);
  const shift = 10n ** BigInt(Math.abs(exponent - factorExponent));
  return exponent >= factorExponent
    ? (digits * shift) % factorDigits === 0n
    : digits % (factorDigits * shift) === 0n;
}

/** The digits of a number and the power of ten with which they are multiplied. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [digits = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [, fraction = ''] = digits.split('.');
  return [BigInt(digits.replace('.', '')), Number(exponent) - fraction.length];
}

export const ofStrings: readonly Make<string>[] = [
  limit(
    'minLength',
    codePoints,
    (length, least) => length < least,
    (length, least) => `String is too short (${length} < ${least}).`,
  ),
  limit(
    'maxLength',
    codePoints,
    (length, most) => length > most,
    (length, most) => `String is too long (${length} > ${most}).`,
  ),
  (members) => {
    const pattern = members.value('pattern');
    if (typeof pattern !== 'string') return;
    const matches = members.matcher(pattern, 'pattern');
    return (text, spot) => {
      if (matches(text, spot.run) === false) spot.report('String does not match pattern.');
    };
  },
];

function codePoints(text: string, run: Run): number {
  run.spend(text.length / CHARACTERS);
  let count = text.length;
  for (let at = 1; at < text.length; at++)
    if (isBetween(text.charCodeAt(at), 0xdc00) && isBetween(text.charCodeAt(at - 1), 0xd800))
      count--;
  return count;
}

/** Whether a code unit is one of the 1,024 surrogates from `first`. */
function isBetween(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}
