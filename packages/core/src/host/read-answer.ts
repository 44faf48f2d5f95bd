/** What was read, or a description of what cannot be accepted. The description has no values: they may be secrets. */
export type Reading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'odd'; readonly what: string };

export function read<T>(value: T): Reading<T> {
  return { kind: 'read', value };
}

export function odd(what: string): Reading<never> {
  return { kind: 'odd', what };
}

/**
 * Reads an object that a hook returned into a new object. Only a plain object is read, of any realm, and only
 * if all its properties are its own, enumerable, without getters, and named by strings. Each property is read
 * once, because a later reading could give another value. Never throws.
 */
export function readPlain(given: unknown): Reading<Record<string, unknown>> {
  try {
    return isPlain(given) ? copied(given) : odd(kindOf(given));
  } catch {
    return odd('an object that cannot be read');
  }
}

function copied(given: object): Reading<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  for (const key of Reflect.ownKeys(given)) {
    if (typeof key === 'symbol') return odd('an object with a symbol as a key');
    const found = Reflect.getOwnPropertyDescriptor(given, key);
    if (!found?.enumerable) return odd('an object with a property that is not enumerable');
    if (!Object.hasOwn(found, 'value')) return odd('an object with a getter or a setter');
    // Not `found.value`: what other code would read from a Proxy may differ from it.
    const value: unknown = Reflect.get(given, key);
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, key, property);
  }
  return read(copy);
}

function isPlain(given: unknown): given is object {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const prototype: unknown = Object.getPrototypeOf(given);
  return prototype === null || isObjectPrototype(prototype as object);
}

/** Whether this is `Object.prototype`, of this realm or of another one. */
function isObjectPrototype(prototype: object): boolean {
  if (prototype === Object.prototype) return true;
  if (Object.getPrototypeOf(prototype) !== null) return false;
  const ofObject: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return (
    typeof ofObject === 'function' &&
    ofObject.name === 'Object' &&
    ofObject.prototype === prototype &&
    Object.hasOwn(prototype, 'hasOwnProperty')
  );
}

/** The name of a class, as a warning may show it. */
const CLASS_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]{0,59}$/u;

/** Describes a value for a warning, without anything of its content. Never throws. */
export function kindOf(given: unknown): string {
  if (given === null || given === undefined) return String(given);
  if (typeof given !== 'object') return `a ${typeof given}`;
  try {
    if (Array.isArray(given)) return 'an array';
    const prototype: unknown = Object.getPrototypeOf(given);
    const name = prototype === null ? 'Object' : classOf(prototype as object);
    if (name === 'Object') return 'an object';
    return name === undefined ? 'an object that is not plain' : `an instance of ${name}`;
  } catch {
    return 'an object that cannot be read';
  }
}

function classOf(prototype: object): string | undefined {
  const found: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof found !== 'function') return;
  const name: unknown = Object.getOwnPropertyDescriptor(found, 'name')?.value;
  return typeof name === 'string' && CLASS_NAME.test(name) ? name : undefined;
}
