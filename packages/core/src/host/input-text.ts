import {
  isPlainJson,
  isSnapshotOf,
  type Snapshot,
  snapshotOf,
  withDigits,
} from '../values/index.ts';

/** A unique number for each object that has no complete text form. */
const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * How objects are written. `canonical`: keys in one order, and an object of a class by its identity.
 * `projected`: as `canonical`, but an object of a class by its enumerable properties, which may not be all of its state. `shown`: as `projected`, for people.
 */
type TextForm = 'canonical' | 'projected' | 'shown';

/**
 * An input as a text for comparison: equal texts mean equal inputs, apart from the order of keys. Beyond
 * JSON it covers the values that a schema can produce: dates, maps, sets, bytes, big integers, undefined.
 * An object of another class is equal only to itself, because its text may not contain all of its
 * state. A value that cannot be read is equal to no value.
 */
export function inputText(value: unknown): string {
  return keptText(value, (input) => write(input, CANONICAL));
}

/** The value after a round trip through JSON; undefined if JSON cannot hold it. */
export function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return;
  }
}

/** Whether JSON holds all of a value. `text`: its text, if it is known. */
export function isJson(value: unknown, text: string = inputText(value)): boolean {
  return inputText(asJson(value)) === text;
}

/** The input with objects of classes by their properties: equal for what a schema makes of equal inputs. */
export function projectedText(value: unknown): string {
  return write(value, PROJECTED);
}

/** The same for people, without the marks that keep strings apart from other values. */
export function shownText(value: unknown): string {
  return write(value, SHOWN);
}

function write(value: unknown, replace: Replacer): string {
  try {
    return JSON.stringify(value, replace);
  } catch {
    return `#${++last}`;
  }
}

type Replacer = (this: unknown, key: string) => unknown;
const CANONICAL = replacer('canonical');
const PROJECTED = replacer('projected');
const SHOWN = replacer('shown');

/** A replacer for `JSON.stringify`. `this` holds the member before `toJSON`. The quote keeps strings apart from marks. */
function replacer(form: TextForm): Replacer {
  return function marked(key) {
    const member: unknown = (this as Record<string, unknown>)[key];
    switch (typeof member) {
      case 'string':
        return form === 'shown' ? member : `'${member}`;
      case 'undefined':
        return 'undefined';
      case 'bigint':
        return form === 'shown' ? withDigits(member) : `bigint ${member}`;
      case 'number':
        return Number.isFinite(member) && !Object.is(member, -0) ? member : `number ${member}`;
      case 'boolean':
        return member;
      case 'object':
        return member === null ? null : ofObject(member, form);
      default:
        return numbered(member);
    }
  };
}

function ofObject(member: object, form: TextForm): unknown {
  if (Array.isArray(member)) return isPlainJson(member) ? member : numbered(member);
  if (isPlainJson(member)) return inOrder(member);
  if (member instanceof Date)
    return `Date ${form === 'shown' ? member.toJSON() : member.getTime()}`;
  if (member instanceof Map) return `Map ${write([...member], replacer(form))}`;
  if (member instanceof Set) return `Set ${write([...member], replacer(form))}`;
  if (member instanceof RegExp) return `RegExp ${member}`;
  if (member instanceof URL) return `URL ${member}`;
  if (member instanceof ArrayBuffer) return `buffer ${new Uint8Array(member).join()}`;
  if (ArrayBuffer.isView(member)) return `${member.constructor.name} ${bytesOf(member).join()}`;
  return form === 'projected' || form === 'shown'
    ? { class: member.constructor?.name, ...inOrder(member) }
    : numbered(member);
}

/** The members in the order of their keys. */
function inOrder(member: object): object {
  const keys = Object.keys(member);
  const isOrdered = keys.every((key, at) => at === 0 || String(keys[at - 1]) < key);
  if (isOrdered && isPlainJson(member)) return member;
  const record = member as Record<string, unknown>;
  return Object.fromEntries(keys.sort().map((key) => [key, record[key]]));
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function numbered(value: unknown): string {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (!isObject) return `#${++last}`;
  const number = numbers.get(value) ?? ++last;
  numbers.set(value, number);
  return `#${number}`;
}

interface CachedText {
  /** What the input held; undefined for what is not plain, which is always written. */
  readonly snapshot: Snapshot | undefined;
  readonly text: string;
}

/** The texts of inputs. To compare an input with what it held takes a tenth of the time that writing it takes. */
const texts = new WeakMap<object, CachedText>();
/** The text that was written last: a host often brings another object with the same content. */
let latest: WeakRef<CachedText> | undefined;

/** The text of a value. It is written if the value does not hold exactly what it held when its text was kept. */
function keptText(value: unknown, write: (value: unknown) => string): string {
  if (typeof value !== 'object' || value === null) return write(value);
  const own = texts.get(value);
  if (own && holds(own, value)) return own.text;
  const last = latest?.deref();
  const isLast = last !== undefined && holds(last, value);
  const kept = isLast ? last : { snapshot: snapshotOf(value), text: write(value) };
  if (!isLast) latest = new WeakRef(kept);
  texts.set(value, kept);
  return kept.text;
}

function holds({ snapshot, text }: CachedText, value: unknown): boolean {
  return snapshot !== undefined && isReadable(text) && isSnapshotOf(snapshot, value);
}

/** Whether a text stands for a value that could be read. */
export function isReadable(text: string): boolean {
  return !text.startsWith('#');
}
