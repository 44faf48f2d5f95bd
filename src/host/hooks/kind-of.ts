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
