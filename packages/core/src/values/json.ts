export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema of any dialect, as its author wrote it; property order is kept. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON value of a text; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

/** A finite number, 0 or more. A JSON number with too many digits is infinite. */
export function isFiniteAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}

/** The number if it is an amount, else 0. */
export function amountIn(value: unknown): number {
  return isFiniteAmount(value) ? value : 0;
}

/** An own property, so that `constructor` and `__proto__` are names like any other. */
export function ownProperty(record: unknown, key: string): unknown {
  return isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** All own properties, to read several of them. Without any for what is no record. */
export function ownProperties(record: unknown): { readonly [key: string]: unknown } {
  return isRecord(record) ? { __proto__: null, ...record } : {};
}

/** The members with these names, without those that are undefined. */
export function pick<T extends object, KEY extends keyof T>(
  record: T,
  ...keys: readonly KEY[]
): Pick<T, KEY> {
  const known = keys.filter((key) => record[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, record[key]])) as Pick<T, KEY>;
}

/** An own property that is a list; empty where it is none. */
export function listIn(record: unknown, key: string): unknown[] {
  const list = ownProperty(record, key);
  return Array.isArray(list) ? list : [];
}

/**
 * The value with each of its texts changed. Keys stay. `name`: the key of the text, or its place in a list.
 * Recursive, so only for values of bounded depth.
 */
export function mapTexts(
  value: unknown,
  change: (text: string, name: string) => string,
  name: string = '',
): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((item, at) => mapTexts(item, change, String(at)));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([key, item]) => [key, mapTexts(item, change, key)]);
  return Object.fromEntries(members);
}

/** A deeply frozen copy. Throws for what cannot be copied, such as functions. */
export function frozenCopy<T>(value: T): T {
  return frozenValue(value) as T;
}

function frozenValue(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenValue));
  if (typeof value === 'function' || typeof value === 'symbol') return structuredClone(value);
  if (!isRecord(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A schema that was made in the program may contain dates and the like.
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = frozenValue(value[key]);
    if (key !== '__proto__') copy[key] = member;
    else Object.defineProperty(copy, key, { value: member, enumerable: true });
  }
  return Object.freeze(copy);
}

/** Orders strings by code point. What is rendered must not depend on the locale. */
export function byCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return aboveSurrogates(x) - aboveSurrogates(y);
  }
  return a.length - b.length;
}

/** Code units in the order of the code points they stand for: surrogates come last. */
function aboveSurrogates(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit;
}

/** A piece of canonical JSON that is written as it is. */
class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const COMMA = new Literal(',');

/**
 * JSON with keys sorted by code point: equal values give equal text. For comparison, not for
 * sending. It does not recurse, because models and servers decide how deep a value is.
 */
export function canonicalJson(value: unknown): string {
  let json = '';
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next instanceof Literal) json += next.text;
    else if (Array.isArray(next)) {
      json += '[';
      open.push(new Literal(']'));
      for (let i = next.length - 1; i >= 0; i--) open.push(next[i], ...(i > 0 ? [COMMA] : []));
    } else if (isRecord(next)) {
      json += '{';
      open.push(new Literal('}'));
      const keys = Object.keys(next).filter((key) => next[key] !== undefined);
      for (const [i, key] of keys.sort(byCodePoint).reverse().entries()) {
        const comma = i < keys.length - 1 ? ',' : '';
        open.push(next[key], new Literal(`${comma}${canonicalScalar(key)}:`));
      }
    } else json += canonicalScalar(next);
  }
  return json;
}

/** A text that JSON writes as it is: without quotes, backslashes, control characters and surrogates. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** `JSON.stringify` of a value that has no members, which is slower. */
function canonicalScalar(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`;
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value))
    return `${value}`;
  return value === null ? 'null' : (JSON.stringify(value) ?? 'null');
}

/**
 * The most levels of nesting that are accepted from a server or a loader. Later readers of the
 * value recurse: this package, the AI SDK, providers. Real schemas and results have fewer than
 * 30.
 */
export const MAX_NESTING = 200;

/** How big a JSON value is. */
interface Weight {
  /** Levels of objects and lists. Inexact above the limit that was given. */
  readonly depth: number;
  /** About the characters of its JSON. */
  readonly size: number;
}

/**
 * Measures a JSON value of any depth without recursion. It stops at the first level below
 * `maxDepth` and at the first value over `maxSize`.
 */
export function measureNesting(value: unknown, maxDepth: number, maxSize: number): Weight {
  let depth = 0;
  let size = 0;
  let level: unknown[] = [value];
  for (;;) {
    const next: unknown[] = [];
    for (const item of level) {
      size += 4;
      if (typeof item === 'string') size += item.length;
      else if (Array.isArray(item)) for (const member of item) next.push(member);
      else if (typeof item === 'object' && item !== null) {
        for (const [key, member] of Object.entries(item)) {
          size += key.length + 4;
          next.push(member);
        }
      }
      if (size > maxSize) return { depth, size };
    }
    if (!level.some((item) => typeof item === 'object' && item !== null)) return { depth, size };
    depth += 1;
    if (depth > maxDepth) return { depth, size };
    level = next;
  }
}

/** Whether a value is nested more deeply than `MAX_NESTING`. */
export function isTooDeep(value: unknown): boolean {
  return measureNesting(value, MAX_NESTING, Number.POSITIVE_INFINITY).depth > MAX_NESTING;
}
