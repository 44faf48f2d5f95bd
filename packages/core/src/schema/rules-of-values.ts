import { isRecord } from '../values/index.ts';
import type { Make, Rule } from './members.ts';
import type { CheckState } from './run.ts';

/** The work to compare two values, without their members, and the characters compared in one unit. */
const COMPARE = 0.1;
const COMPARED_CHARACTERS = 5_000;

/** Whether two JSON values are equal. The order of names does not matter. */
export function deepEqual(one: unknown, other: unknown, run: CheckState): boolean {
  if (typeof one === 'string') run.spend(one.length / COMPARED_CHARACTERS);
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

/** The characters of a text, and of a literal, in one unit of work, and the work of an exact division. */
const CHARACTERS = 300;
const LITERAL_CHARACTERS = 256;
const DIVISION = 2;

/** The name of a value's type in JSON Schema, or in JavaScript if JSON does not have it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'number';
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

/** A number that is too large for JavaScript is a bigint or infinite, and an integer in JSON. */
function isInteger(value: unknown): boolean {
  return (
    typeof value === 'bigint' ||
    Number.isInteger(value) ||
    value === Infinity ||
    value === -Infinity
  );
}

/** A rule that accepts only these values. `shown` is written when it first refuses a value. */
function onlyThese(values: readonly unknown[], what: string, shown: unknown): Rule<unknown> {
  const plain = new Set(values);
  const others = values.filter((one) => typeof one === 'object' && one !== null);
  let text: string | undefined;
  return (value, spot) => {
    if (plain.has(value) || others.some((one) => deepEqual(value, one, spot.run))) return;
    if (text === undefined) {
      text = `Instance does not match ${what}${JSON.stringify(shown)}.`;
      spot.run.spend(text.length / LITERAL_CHARACTERS);
    }
    spot.report(text);
  };
}

export const ofConst: Make<unknown> = (members) => {
  const constant = members.value('const');
  return constant === undefined ? undefined : onlyThese([constant], '', constant);
};

export const ofEnum: Make<unknown> = (members) => {
  const values = members.list('enum');
  return values && onlyThese(values, 'any of ', values);
};

/** A number. It is a bigint where JavaScript has no number for it. */
type Numeric = number | bigint;

/** A rule that compares a number, which it takes from the value, with the limit that a keyword sets. */
export function limit<Value, Size extends Numeric = number>(
  keyword: string,
  measure: (value: Value, run: CheckState) => Size,
  problem: (size: Size, limit: number) => string | false,
): Make<Value> {
  return (members) => {
    const set = members.number(keyword);
    if (set === undefined) return;
    return (value, spot) => {
      const text = problem(measure(value, spot.run), set);
      if (text) spot.report(text);
    };
  };
}

/** `minimum` or `maximum`, which another keyword makes exclusive in draft-04. */
function bound(keyword: string, exclusive: string, word: string, sign: 1 | -1): Make<Numeric> {
  return (members) => {
    const set = members.number(keyword);
    if (set === undefined) return;
    const isExclusive = members.value(exclusive) === true;
    const old = isExclusive ? 'or equal to  ' : ' ';
    const than = members.shared.draft === '4' ? `than ${old}` : 'than ';
    return (value, spot) => {
      const isBeyond = (sign === 1 ? value > set : value < set) || (isExclusive && value === set);
      if (isBeyond) spot.report(`${value} is ${word} ${than}${set}.`);
    };
  };
}

const itself = (value: Numeric) => value;

export const ofNumbers: readonly Make<Numeric>[] = [
  bound('minimum', 'exclusiveMinimum', 'less', -1),
  bound('maximum', 'exclusiveMaximum', 'greater', 1),
  limit(
    'exclusiveMinimum',
    itself,
    (n, set) => n <= set && `${n} is less than or equal to ${set}.`,
  ),
  limit(
    'exclusiveMaximum',
    itself,
    (n, set) => n >= set && `${n} is greater than or equal to ${set}.`,
  ),
  limit(
    'multipleOf',
    (value, run) => {
      run.spend(DIVISION);
      return value;
    },
    (n, factor) => !isMultipleOf(n, factor) && `${n} is not a multiple of ${factor}.`,
  ),
];

/** Whether the decimal digits of a number are a multiple of those of another, without rounding. */
function isMultipleOf(value: Numeric, factor: number): boolean {
  if ((typeof value === 'number' && !Number.isFinite(value)) || !Number.isFinite(factor))
    return false;
  const [digits, exponent] = decimal(value);
  const [factorDigits, factorExponent] = decimal(factor);
  const shift = 10n ** BigInt(Math.abs(exponent - factorExponent));
  return exponent >= factorExponent
    ? (digits * shift) % factorDigits === 0n
    : digits % (factorDigits * shift) === 0n;
}

/** The digits of a number and the power of ten with which they are multiplied. */
function decimal(value: Numeric): [digits: bigint, exponent: number] {
  if (typeof value === 'bigint') return [value < 0n ? -value : value, 0];
  const [digits = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [, fraction = ''] = digits.split('.');
  return [BigInt(digits.replace('.', '')), Number(exponent) - fraction.length];
}

export const ofStrings: readonly Make<string>[] = [
  limit('minLength', codePoints, (n, set) => n < set && `String is too short (${n} < ${set}).`),
  limit('maxLength', codePoints, (n, set) => n > set && `String is too long (${n} > ${set}).`),
  (members) => {
    const pattern = members.value('pattern');
    if (typeof pattern !== 'string') return;
    const matches = members.matcher(pattern, 'pattern');
    return (text, spot) => {
      if (matches(text, spot.run) === false)
        spot.report(`String does not match the pattern ${pattern}`);
    };
  },
];

function codePoints(text: string, run: CheckState): number {
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
