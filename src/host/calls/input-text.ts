/** A unique number for each object that has no complete text form. */
const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * An input as a text for comparison: equal texts mean equal inputs. Beyond JSON it covers the values
 * that a schema can produce: dates, maps, sets, bytes, big integers, undefined. An object of another
 * class is equal only to itself, because its text may not contain all of its state. A value that
 * cannot be read is equal to no value.
 */
export function inputText(value: unknown): string {
  try {
    return JSON.stringify(value, marked);
  } catch {
    return `#${++last}`;
  }
}

/** A replacer for `JSON.stringify`. `this` holds the member before `toJSON`. The quote keeps strings apart from marks. */
function marked(this: unknown, key: string): unknown {
  const member: unknown = (this as Record<string, unknown>)[key];
  switch (typeof member) {
    case 'string':
      return `'${member}`;
    case 'undefined':
      return 'undefined';
    case 'bigint':
      return `bigint ${member}`;
    case 'number':
      return Number.isFinite(member) && !Object.is(member, -0) ? member : `number ${member}`;
    case 'function':
    case 'symbol':
      return numbered(member);
    default:
      return ofObject(member);
  }
}

function ofObject(member: unknown): unknown {
  if (member instanceof Date) return `Date ${member.getTime()}`;
  if (member instanceof Map) return `Map ${inputText([...member])}`;
  if (member instanceof Set) return `Set ${inputText([...member])}`;
  if (member instanceof RegExp) return `RegExp ${member}`;
  if (member instanceof URL) return `URL ${member}`;
  if (member instanceof ArrayBuffer) return `buffer ${new Uint8Array(member).join()}`;
  if (ArrayBuffer.isView(member)) return `${member.constructor.name} ${bytesOf(member).join()}`;
  return isPlain(member) ? member : numbered(member);
}

/** Whether JSON writes all of the value: a plain object or array of any realm, without `toJSON`. */
function isPlain(member: unknown): boolean {
  if (member === null || typeof member === 'boolean') return true;
  if (typeof member !== 'object') return false;
  if ('toJSON' in member && typeof member.toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(member);
  const isRoot = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isRoot || Array.isArray(member);
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
