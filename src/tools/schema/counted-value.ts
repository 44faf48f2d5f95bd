import type { Meter } from './meter.ts';

/** Units of work to read a member or to check whether it exists. */
const READ = 0.5;

/**
 * A view of arguments that counts each access to a member. It measures the work of a validator beyond
 * visits of schemas, such as comparing items with each other or names with patterns.
 */
export function counted(value: unknown, meter: Meter): unknown {
  if (typeof value !== 'object' || value === null) return value;
  meter.spend(READ * (1 + Object.keys(value).length));
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? value.map((item) => counted(item, meter))
    : copyOf(value, meter);
  return new Proxy(copy, {
    get(target, key) {
      meter.spend(READ);
      const member = Reflect.get(target, key);
      if (typeof member === 'string') meter.sawText(member.length);
      return member;
    },
    getOwnPropertyDescriptor(target, key) {
      meter.spend(READ);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      meter.spend(READ * (1 + keys.length));
      return keys;
    },
  });
}

/** An object without a prototype, so that `__proto__` is an ordinary name. */
function copyOf(value: object, meter: Meter): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  meter.sawNames(Object.keys(value));
  for (const [key, member] of Object.entries(value)) copy[key] = counted(member, meter);
  return copy;
}
