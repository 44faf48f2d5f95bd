import { errorMessage } from '../errors.ts';
import { oneLine } from '../tools/values/index.ts';
import { kindOf } from './read-answer.ts';

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
      const isPlain = found !== undefined && 'value' in found;
      const member = this.#read(value, key);
      // What a getter or a Proxy says now, it may not say again.
      if (!isPlain || !Object.is(found.value, member)) this.isChanged = true;
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
