import { errorMessage } from '../errors.ts';
import { parsedJson } from '../tools/values/index.ts';
import { heldOutput } from './held-output.ts';

/** Replaces secrets in a text. The same text always becomes the same. */
export type Hide = (text: string) => string;

/** How deep values are searched. A result of a tool is not deeper: see `heldOutput`. */
const MAX_DEPTH = 102;

/**
 * A value with the secrets in all its texts replaced, names of properties included. Errors are copied with their
 * messages, traces and causes. An object of another class is what JSON writes of it, if that has a secret; bytes stay
 * as they are. Returns the same value if it holds none.
 */
export function hidden<T>(value: T, hide: Hide): T {
  return hiddenAt(value, hide, 0) as T;
}

function hiddenAt(value: unknown, hide: Hide, depth: number): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (value instanceof Error) return hiddenError(value, hide, depth);
  if (Array.isArray(value)) {
    const items = value.map((item) => hiddenAt(item, hide, depth + 1));
    return items.some((item, at) => !Object.is(item, value[at])) ? items : value;
  }
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (!isPlain || Object.hasOwn(value, 'toJSON')) return hiddenInstance(value, hide, depth);
  let isChanged = false;
  const members = Object.entries(value).map(([name, member]) => {
    const shown = [hide(name), hiddenAt(member, hide, depth + 1)] as const;
    isChanged ||= shown[0] !== name || !Object.is(shown[1], member);
    return shown;
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** An object of a class: itself, or what JSON writes of it without its secrets. */
function hiddenInstance(value: object, hide: Hide, depth: number): unknown {
  if (ArrayBuffer.isView(value) || value instanceof Date) return value;
  const written = parsedJson(JSON.stringify(heldOutput(value)) ?? 'null');
  const shown = hiddenAt(written, hide, depth + 1);
  return Object.is(shown, written) ? value : shown;
}

/**
 * An error of the same class, so that whoever catches it still knows it. A plain error where a copy cannot be read: its
 * message may be in private fields.
 */
function hiddenError(error: Error, hide: Hide, depth: number): Error {
  const properties = Object.getOwnPropertyDescriptors(error) as Record<
    PropertyKey,
    PropertyDescriptor
  >;
  let isChanged = false;
  for (const key of Reflect.ownKeys(properties)) {
    const property = properties[key];
    if (!property || (property.get && key !== 'stack')) continue;
    const value: unknown = property.get ? Reflect.get(error, key) : property.value;
    const shown = hiddenAt(value, hide, depth + 1);
    if (Object.is(shown, value)) continue;
    isChanged = true;
    const { enumerable, configurable } = property;
    properties[key] = { value: shown, enumerable, configurable, writable: true } as never;
  }
  const copy: Error = isChanged ? Object.create(Object.getPrototypeOf(error), properties) : error;
  const isShown = (key: 'message' | 'name') => textIn(copy, key) === hide(textIn(error, key));
  return isShown('message') && isShown('name') ? copy : plainError(error, hide, depth);
}

function plainError(error: Error, hide: Hide, depth: number): Error {
  const { cause } = error;
  const given = cause === undefined ? {} : { cause: hiddenAt(cause, hide, depth + 1) };
  const plain = new Error(hide(textIn(error, 'message')), given);
  plain.name = hide(textIn(error, 'name'));
  plain.stack = hide(String(error.stack));
  return plain;
}

/** A text of an error; what cannot be read has its own. */
function textIn(error: Error, key: 'message' | 'name'): string {
  try {
    return String(error[key]);
  } catch (problem) {
    return `It cannot be read: ${errorMessage(problem)}`;
  }
}
