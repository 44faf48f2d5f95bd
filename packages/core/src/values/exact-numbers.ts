import { isRecord } from './json.ts';

/** A string, which is skipped, or a number in a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
/** Whether a text may have a number that is not exact. Most texts have none. */
const SUSPECT = /\d{16}|\d[eE][+-]?\d/;
/** An integer that is written with its digits alone. */
const INTEGER = /^-?\d+$/;
/** Significant digits that a double keeps. */
const DIGITS = 17;
/** Significant digits from which on a number may be what was left of a longer one. */
const ROUNDED = 16;
/** Maximum digits of an integer that is kept as it was written. */
const MAX_INTEGER = 1_000;

/**
 * The first number in a JSON text that a double cannot hold: an integer that would become another one, or a number that
 * would become infinite or 0. Undefined if there is none. Fractions are rounded, as every reader of JSON does it.
 */
export function inexactNumber(text: string): string | undefined {
  return firstNumber(text, (token) => !isHeld(token));
}

/**
 * The first number in a JSON text that may have been another one before a program read and wrote it: an integer beyond
 * 2^53 that a double holds. A short number with an exponent, such as 1e21, is one that nobody rounded.
 */
export function roundedNumber(text: string): string | undefined {
  return firstNumber(text, (token) => {
    if (Number.isSafeInteger(Number(token)) || !Number.isInteger(Number(token))) return false;
    return INTEGER.test(token) || digitsOf(token).length >= ROUNDED;
  });
}

function firstNumber(text: string, is: (token: string) => boolean): string | undefined {
  if (!SUSPECT.test(text)) return;
  for (const [token] of text.matchAll(TOKENS))
    if (!token.startsWith('"') && is(token)) return token;
  return;
}

function isHeld(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (INTEGER.test(token)) return String(value) === token || BigInt(token) === BigInt(value);
  const digits = digitsOf(token);
  if (value === 0) return digits === '';
  return Number.isSafeInteger(Math.trunc(value)) || digits.length <= DIGITS;
}

/** The significant digits of a number. */
function digitsOf(token: string): string {
  const [mantissa = ''] = token.split(/[eE]/);
  return mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}

/** A value that was read from JSON, or the number in it that cannot be kept. */
type Exact = { readonly value: unknown } | { readonly lost: string };

/**
 * Reads JSON. An integer that a double cannot hold is a bigint in the value, so that its digits stay as they were
 * written. Any other number that cannot be held is `lost`, and so is such an integer where the runtime does not show
 * how a number was written. Throws for a text that is not JSON.
 */
export function exactJson(text: string): Exact {
  const inexact = inexactNumber(text);
  if (inexact === undefined) return { value: JSON.parse(text) };
  if (!rawJson) return { lost: inexact };
  let lost: string | undefined;
  const value: unknown = JSON.parse(text, (_key, read: unknown, context?: { source?: string }) => {
    if (typeof read !== 'number') return read;
    const written = context?.source ?? inexact;
    if (isHeld(written)) return read;
    if (INTEGER.test(written) && written.length <= MAX_INTEGER && context) return BigInt(written);
    lost ??= written;
    return read;
  });
  return lost === undefined ? { value } : { lost };
}

/** The key of an integer in JSON that other programs read, such as messages of a host and entries of a session. */
const KEY = 'toolfold_integer';

/**
 * The value with `{ "toolfold_integer": "12345678901234567890" }` for each bigint that no number holds: this survives
 * every program that reads and writes JSON. The same value if it has none.
 */
export function withMarks(value: unknown): unknown {
  return replaced(value, isBig, (big) => ({ [KEY]: `${big}` }));
}

/** The value with a bigint for each mark of `withMarks`, and a number for each bigint that a number holds. */
export function withBigints(value: unknown): unknown {
  const isEither = (member: unknown) => typeof member === 'bigint' || isMark(member);
  return replaced(value, isEither, (member) => {
    const big = typeof member === 'bigint' ? member : BigInt((member as IntegerMark)[KEY]);
    return isBig(big) ? big : Number(big);
  });
}

/** The value for `JSON.stringify`, which then writes each bigint with its digits. The same value if it has none. */
export function withDigits<T>(value: T): T {
  const isBigint = (member: unknown) => typeof member === 'bigint';
  return replaced(value, isBigint, (big) => rawJson?.(`${big}`) ?? big) as T;
}

/** The digits of the first integer in a value that no number holds, in either form. Undefined if there is none. */
export function firstBig(value: unknown): string | undefined {
  const found = firstMember(value, (member) => isBig(member) || isMark(member));
  if (found === undefined) return;
  return String(isMark(found) ? found[KEY] : found);
}

type IntegerMark = { readonly [KEY]: string };

/** Whether a value is a mark of an integer that a number cannot hold. Any other object means itself. */
function isMark(value: unknown): value is IntegerMark {
  if (!isRecord(value) || !Object.hasOwn(value, KEY)) return false;
  const { [KEY]: digits, ...others } = value;
  if (typeof digits !== 'string' || digits.length > MAX_INTEGER) return false;
  return INTEGER.test(digits) && !isHeld(digits) && Object.keys(others).length === 0;
}

/** Whether a value is a bigint that no number holds. */
function isBig(value: unknown): value is bigint {
  return typeof value === 'bigint' && BigInt.asIntN(53, value) !== value && !isHeld(`${value}`);
}

/** A value with other members in place of some. The same value if it has none of these. */
function replaced(
  value: unknown,
  is: (member: unknown) => boolean,
  change: (member: unknown) => unknown,
): unknown {
  return firstMember(value, is) === undefined ? value : changed(value, is, change);
}

/**
 * The first such value among a value and what its lists and objects hold; undefined if there is none. It does not
 * recurse: inputs may be deep or circular.
 */
function firstMember(value: unknown, is: (member: unknown) => boolean): unknown {
  const open: unknown[] = [value];
  const seen = new Set<object>();
  while (open.length > 0) {
    const next = open.pop();
    if (is(next)) return next;
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (Array.isArray(next) || isPlainRecord(next))
      for (const member of Object.values(next)) open.push(member);
  }
  return;
}

/** A copy in which such members are replaced. Objects of classes stay as they are. */
function changed(
  value: unknown,
  is: (member: unknown) => boolean,
  change: (member: unknown) => unknown,
): unknown {
  if (is(value)) return change(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, is, change));
  if (!isPlainRecord(value)) return value;
  const members = Object.entries(value).map(([key, item]) => [key, changed(item, is, change)]);
  return Object.fromEntries(members);
}

function isPlainRecord(value: unknown): value is object {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** `JSON.rawJSON`, which comes with the text of each number for a reviver. Undefined in older runtimes. */
const rawJson: ((text: string) => unknown) | undefined = (
  JSON as { readonly rawJSON?: (text: string) => unknown }
).rawJSON;
