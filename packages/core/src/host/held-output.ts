import { errorMessage } from '../errors.ts';
import { oneLine, parsedJson } from '../values/index.ts';
import { kindOf } from './verdict.ts';

/** How deep a result may be nested. Stores, providers and the AI SDK walk it level by level. */
const MAX_DEPTH = 100;
/** How many values are looked at: the same object may stand in a result very often. */
const MAX_VALUES = 1_000_000;
/** How many values are kept of a result with odd parts: an open connection leads to all that its program has. */
const MAX_OF_ODD = 10_000;

/**
 * What JSON can hold of a result, with a remark in the place of each part that it cannot: a circle, a getter or
 * `toJSON` that throws, the body of a response, what is nested too deep. The tool has run, and nothing that reads
 * its result afterwards may throw: a failed call would be made again. A result that JSON holds is returned as it
 * is. Never throws.
 */
export function heldOutput<T>(output: T): T | unknown {
  const walk = new Walk(MAX_VALUES);
  const held = walk.of(output, 0);
  if (!walk.isChanged) return output;
  return walk.isOdd ? new Walk(MAX_OF_ODD).of(output, 0) : held;
}

/**
 * What a tool, a hook or an observer threw, as everybody can read it: the AI SDK writes as JSON what is no `Error`, and
 * would end the whole response for a value that JSON cannot hold. Never throws.
 */
export function heldError(error: unknown): unknown {
  try {
    if (typeof error !== 'symbol' && !(error instanceof Error)) return heldOutput(error);
    if (error instanceof Error && areTexts(error.message, error.name)) return error;
  } catch {
    // A revoked proxy, or a getter that throws.
  }
  return new Error(errorMessage(error));
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

class Walk {
  isChanged = false;
  /** Something was left out. */
  isOdd = false;
  #left: number;
  /** The objects that hold the present one. */
  readonly #around = new Set<object>();

  constructor(left: number) {
    this.#left = left;
  }

  of(value: unknown, depth: number): unknown {
    if (this.#left-- <= 0) return this.#remark('it is too large');
    if (typeof value === 'bigint') return this.#changed(String(value));
    if (typeof value === 'function') return depth === 0 ? this.#remark('it is a function') : value;
    if (typeof value !== 'object' || value === null) return value;
    try {
      return this.#ofObject(value, depth);
    } catch (error) {
      return this.#remark(`reading it failed: ${oneLine(errorMessage(error), 200)}`);
    }
  }

  #ofObject(value: object, depth: number): unknown {
    if (value instanceof BigInt64Array || value instanceof BigUint64Array)
      return this.#changed(Array.from(value, String));
    if (value instanceof Date || value instanceof URL || ArrayBuffer.isView(value)) return value;
    if (this.#around.has(value)) return this.#remark('it is the object around it');
    if (depth >= MAX_DEPTH) return this.#remark(`it is nested deeper than ${MAX_DEPTH} levels`);
    this.#around.add(value);
    try {
      const toJson: unknown = Reflect.get(value, 'toJSON');
      // Called once: another call may give something else, or throw.
      if (typeof toJson === 'function') {
        this.isChanged = true;
        return this.of(Reflect.apply(toJson, value, ['']), depth + 1);
      }
      if (Array.isArray(value)) return this.#ofList(value, depth);
      if (value instanceof Map || value instanceof Set)
        return this.#changed(this.#ofList([...value], depth));
      return this.#ofMembers(value, depth);
    } finally {
      this.#around.delete(value);
    }
  }

  #ofList(list: readonly unknown[], depth: number): unknown[] {
    return Array.from(list, (item) => this.of(item, depth + 1));
  }

  #ofMembers(value: object, depth: number): unknown {
    const keys = Object.keys(value);
    if (keys.length === 0 && Object.getPrototypeOf(value) !== null) {
      if (value instanceof Error) return this.#changed({ error: errorMessage(value) });
      const kind = kindOf(value);
      if (kind !== 'an object') return this.#changed(this.#ofClass(value, kind));
    }
    const members: [string, unknown][] = keys.map((key) => {
      const found = Reflect.getOwnPropertyDescriptor(value, key);
      const isPlainJson = found !== undefined && 'value' in found;
      const member = this.#read(value, key);
      // What a getter or a Proxy says now, it may not say again.
      if (!isPlainJson || !Object.is(found.value, member)) this.isChanged = true;
      return [key, this.of(member, depth + 1)];
    });
    return Object.fromEntries(members);
  }

  #read(value: object, key: string): unknown {
    try {
      return Reflect.get(value, key);
    } catch (error) {
      return this.#remark(`reading it failed: ${oneLine(errorMessage(error), 200)}`);
    }
  }

  /** An object whose content JSON does not see. */
  #ofClass(value: object, kind: string): unknown {
    const remark = this.#remark(`it is ${kind}, whose content is not in its properties`);
    if (typeof Response !== 'function' || !(value instanceof Response)) return remark;
    const { status, statusText, url } = value;
    return { status, statusText, url, body: remark };
  }

  #changed<T>(value: T): T {
    this.isChanged = true;
    return value;
  }

  #remark(why: string): string {
    this.isOdd = true;
    return this.#changed(
      `[The tool has run. This part of its result cannot be written as JSON: ${why}]`,
    );
  }
}

/** Replaces secrets in a text. The same text always becomes the same. */
export type Hide = (text: string) => string;

/** How deep values are searched. Results that JSON holds are not deeper: see `heldOutput`. */
const DEEPEST = 500;
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
    if (depth > DEEPEST) {
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
    const isPlainJson = prototype === Object.prototype || prototype === null;
    if (!isPlainJson || Object.hasOwn(value, 'toJSON')) return this.#instance(value, depth);
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
