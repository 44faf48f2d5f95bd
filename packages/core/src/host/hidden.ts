import { errorMessage } from '../errors.ts';
import { parsedJson } from '../tools/values/index.ts';
import { heldOutput } from './held-output.ts';

/** Replaces secrets in a text. The same text always becomes the same. */
export type Hide = (text: string) => string;

/** How deep values are searched. Results that JSON holds are not deeper: see `heldOutput`. */
const MAX_DEPTH = 500;
/** Stands for what is too deep to be searched, which may hold a secret. */
const TOO_DEEP = '[nested too deeply to be searched for secrets]';
/** Stands for an object inside itself, in a value that holds a secret. */
const CIRCLE = '[the object around it]';

/**
 * A value with the secrets in all its texts replaced, names of properties included. Errors are copied with their
 * messages, traces and causes. An object of another class is what JSON writes of it, if that has a secret; bytes stay
 * as they are. Returns the same value if it holds none.
 */
export function hidden<T>(value: T, hide: Hide): T {
  const search = new Search(hide);
  const shown = search.of(value, 0);
  return (search.hasFound ? shown : value) as T;
}

/** Looks at each object once: values may hold themselves, and the same object in many places. */
class Search {
  /** Something was replaced. */
  hasFound = false;
  readonly #hide: Hide;
  readonly #seen = new Map<object, unknown>();

  constructor(hide: Hide) {
    this.#hide = hide;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (this.#seen.has(value)) return this.#seen.get(value);
    if (depth > MAX_DEPTH) {
      this.hasFound = true;
      return TOO_DEEP;
    }
    this.#seen.set(value, CIRCLE);
    const shown = this.#object(value, depth + 1);
    this.#seen.set(value, shown);
    return shown;
  }

  #text(text: string): string {
    const shown = this.#hide(text);
    this.hasFound ||= shown !== text;
    return shown;
  }

  #object(value: object, depth: number): unknown {
    if (value instanceof Error) return this.#error(value, depth);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.of(item, depth));
      return items.some((item, at) => !Object.is(item, value[at])) ? items : value;
    }
    const prototype = Object.getPrototypeOf(value);
    const isPlain = prototype === Object.prototype || prototype === null;
    if (!isPlain || Object.hasOwn(value, 'toJSON')) return this.#instance(value, depth);
    let isChanged = false;
    const members = Object.entries(value).map(([name, member]) => {
      const shown = [this.#text(name), this.of(member, depth)] as const;
      isChanged ||= shown[0] !== name || !Object.is(shown[1], member);
      return shown;
    });
    return isChanged ? Object.fromEntries(members) : value;
  }

  /** An object of a class: itself, or what JSON writes of it without its secrets. */
  #instance(value: object, depth: number): unknown {
    if (ArrayBuffer.isView(value) || value instanceof Date) return value;
    const written = parsedJson(JSON.stringify(heldOutput(value)) ?? 'null');
    const shown = this.of(written, depth);
    return Object.is(shown, written) ? value : shown;
  }

  /**
   * An error of the same class, so that whoever catches it still knows it. A plain error where a copy cannot be read:
   * its message may be in private fields.
   */
  #error(error: Error, depth: number): Error {
    const properties = Object.getOwnPropertyDescriptors(error) as Record<
      PropertyKey,
      PropertyDescriptor
    >;
    let isChanged = false;
    for (const key of Reflect.ownKeys(properties)) {
      const property = properties[key];
      if (!property || (property.get && key !== 'stack')) continue;
      const value: unknown = property.get ? Reflect.get(error, key) : property.value;
      const shown = this.of(value, depth);
      if (Object.is(shown, value)) continue;
      isChanged = true;
      const { enumerable, configurable } = property;
      properties[key] = { value: shown, enumerable, configurable, writable: true } as never;
    }
    const copy: Error = isChanged ? Object.create(Object.getPrototypeOf(error), properties) : error;
    const isShown = (key: 'message' | 'name') =>
      textIn(copy, key) === this.#text(textIn(error, key));
    return isShown('message') && isShown('name') ? copy : this.#plainError(error, depth);
  }

  #plainError(error: Error, depth: number): Error {
    const { cause } = error;
    const given = cause === undefined ? {} : { cause: this.of(cause, depth) };
    const plain = new Error(this.#text(textIn(error, 'message')), given);
    plain.name = this.#text(textIn(error, 'name'));
    plain.stack = this.#text(String(error.stack));
    return plain;
  }
}

/** A text of an error; what cannot be read has its own. */
function textIn(error: Error, key: 'message' | 'name'): string {
  try {
    return String(error[key]);
  } catch (problem) {
    return `It cannot be read: ${errorMessage(problem)}`;
  }
}
