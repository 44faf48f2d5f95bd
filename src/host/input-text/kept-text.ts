/** What a plain object or array held when it was read. A member that holds nothing is its own image. */
class Image {
  /** Undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly members: readonly unknown[];

  constructor(keys: readonly string[] | undefined, members: readonly unknown[]) {
    this.keys = keys;
    this.members = members;
  }
}

interface Kept {
  readonly image: unknown;
  readonly text: string;
}

/** The texts of inputs. To compare an input with its image takes a tenth of the time that writing it takes. */
const texts = new WeakMap<object, Kept>();
/** The text that was written last: a host often brings another object with the same content. */
let latest: WeakRef<Kept> | undefined;

/** The text of a value. It is written if the value does not hold exactly what it held when its text was kept. */
export function keptText(value: unknown, write: (value: unknown) => string): string {
  if (typeof value !== 'object' || value === null) return write(value);
  const own = texts.get(value);
  if (own && holds(own, value)) return own.text;
  const last = latest?.deref();
  const isLast = last !== undefined && holds(last, value);
  const kept = isLast ? last : { image: read(() => imageOf(value)), text: write(value) };
  if (!isLast) latest = new WeakRef(kept);
  texts.set(value, kept);
  return kept.text;
}

function holds({ image, text }: Kept, value: unknown): boolean {
  return isReadable(text) && read(() => isImageOf(image, value)) === true;
}

/** Undefined, which is the image of no object, for what throws when it is read or is nested deeper than the stack. */
function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch {
    return;
  }
}

function imageOf(value: unknown): unknown {
  // The image of a symbol and of an object of a class equals nothing: the object may have more state than members.
  if (typeof value === 'symbol') return Symbol();
  if (typeof value !== 'object' || value === null) return value;
  if (!isPlain(value)) return Symbol();
  if (Array.isArray(value)) return new Image(undefined, Array.from(value, imageOf));
  const keys = Object.keys(value);
  const record = value as Record<string, unknown>;
  return new Image(
    keys,
    keys.map((key) => imageOf(record[key])),
  );
}

function isImageOf(image: unknown, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(image, value);
  if (!(image instanceof Image) || !isPlain(value)) return false;
  const { keys, members } = image;
  if (Array.isArray(value)) {
    if (keys !== undefined || value.length !== members.length) return false;
    return members.every((member, at) => isImageOf(member, value[at]));
  }
  const now = Object.keys(value);
  const record = value as Record<string, unknown>;
  return (
    now.length === keys?.length &&
    now.every((key, at) => key === keys[at] && isImageOf(members[at], record[key]))
  );
}

/** Whether a text stands for a value that could be read. */
export function isReadable(text: string): boolean {
  return !text.startsWith('#');
}

/** Whether JSON writes all of the value: a plain object or array of any realm, without `toJSON`. */
export function isPlain(value: object): boolean {
  if ('toJSON' in value && typeof value.toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isRoot = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isRoot || Array.isArray(value);
}
