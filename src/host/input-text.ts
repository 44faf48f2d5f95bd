/** Numbers for values that no text can tell apart from others. */
const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * An input as a text: equal texts, equal inputs. Beyond JSON it tells apart what schemas may make of
 * an input: dates, maps, sets, big integers, undefined. What has no text, a circular value say, is
 * equal to itself alone.
 */
export function inputText(value: unknown): string {
  try {
    return JSON.stringify(value, marked);
  } catch {
    return numbered(value);
  }
}

/** A replacer; `this` holds the member as it is, before its `toJSON`. Strings are told apart from marks. */
function marked(this: unknown, key: string, value: unknown): unknown {
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
      return ofObject(member) ?? (typeof value === 'string' ? `text ${value}` : value);
  }
}

function ofObject(member: unknown): string | undefined {
  if (member instanceof Date) return `Date ${member.getTime()}`;
  if (member instanceof Map) return `Map ${inputText([...member])}`;
  if (member instanceof Set) return `Set ${inputText([...member])}`;
  if (member instanceof RegExp) return `RegExp ${member}`;
  if (ArrayBuffer.isView(member)) return `bytes ${bytesOf(member).join()}`;
  const hasNoText =
    member instanceof Error || member instanceof ArrayBuffer || member instanceof Promise;
  return hasNoText ? numbered(member) : undefined;
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
