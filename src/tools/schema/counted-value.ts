import type { Meter } from './meter.ts';

/** Units of work that reading a member, or asking for it, takes. */
const READ = 0.5;

/**
 * A copy of arguments that looks like them to a validator and counts each look at a member. What a
 * validator does beyond visiting schemas (comparing items with each other, names with patterns)
 * shows in no other way.
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

/** Without a prototype: `__proto__` is a name like any other. */
function copyOf(value: object, meter: Meter): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  meter.sawNames(Object.keys(value));
  for (const [key, member] of Object.entries(value)) copy[key] = counted(member, meter);
  return copy;
}
