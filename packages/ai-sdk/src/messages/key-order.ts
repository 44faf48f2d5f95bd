import { isRecord } from '@toolfold/core/internal/values';
import type { LanguageModelV4ToolResultOutput } from '../protocol/index.ts';

/** The keys of the objects of a JSON value, in their order. One list stands for all objects with these keys. */
type KeyOrders = readonly (readonly string[])[];

/** The most characters of keys that are kept with one result. */
const MOST = 2_000;
/** The most objects that are looked at. */
const MOST_OBJECTS = 10_000;

/**
 * The order of the keys in a JSON value, for messages that may go through a store that sorts them, such as
 * PostgreSQL's `jsonb`. Undefined if there is nothing to keep, or too much.
 */
export function keyOrdersOf(value: unknown): KeyOrders | undefined {
  const orders = new Map<string, readonly string[]>();
  let size = 0;
  let left = MOST_OBJECTS;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (left-- === 0) return;
    pending.push(...Object.values(next).slice(0, left + 1));
    if (!isRecord(next)) continue;
    const keys = Object.keys(next);
    const name = nameOf(keys);
    if (keys.length < 2 || orders.has(name)) continue;
    orders.set(name, keys);
    size += name.length;
    if (size > MOST) return;
  }
  return orders.size > 0 ? [...orders.values()] : undefined;
}

/** Reads orders back from metadata, which a browser may have changed. */
export function readKeyOrders(value: unknown): KeyOrders | undefined {
  const isList = (list: unknown): list is string[] =>
    Array.isArray(list) && list.every((key) => typeof key === 'string');
  return Array.isArray(value) && value.every(isList) ? value : undefined;
}

/** The value with the keys of its objects in these orders. Objects with other keys stay as they are. */
export function inKeyOrder(value: unknown, orders: KeyOrders): unknown {
  const byName = new Map(orders.map((keys) => [nameOf(keys), keys]));
  const ordered = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(ordered);
    if (!isRecord(part)) return part;
    const keys = Object.keys(part);
    const known = byName.get(nameOf(keys)) ?? keys;
    return Object.fromEntries(known.map((key) => [key, ordered(part[key])]));
  };
  return ordered(value);
}

function nameOf(keys: readonly string[]): string {
  return JSON.stringify([...keys].sort());
}

/** By JSON value: the marks of the orders that its keys have. Only what was found is kept, never a copy of the value. */
const inOrder = new WeakMap<object, unknown>();

/**
 * A JSON output with the keys of its objects in the order in which the tool gave them: a store may sort them.
 * `marks`: the orders, from metadata. The same value is compared once: whoever changes it in place later
 * has its keys sent as they are then.
 */
export function withKeyOrder(
  output: LanguageModelV4ToolResultOutput,
  marks: unknown,
): LanguageModelV4ToolResultOutput {
  if (marks === undefined || output.type !== 'json') return output;
  const { type, value } = output;
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && inOrder.get(value) === marks) return { type, value };
  const orders = readKeyOrders(marks);
  if (!orders) return output;
  if (!isObject || !hasOrders(value, orders))
    return { type, value: inKeyOrder(value, orders) as never };
  inOrder.set(value, marks);
  return { type, value };
}

/** Whether `inKeyOrder` would change nothing in a JSON value. */
function hasOrders(value: object, orders: KeyOrders): boolean {
  const wanted = new Set(orders.map((keys) => JSON.stringify(keys)));
  const sorted = new Set(orders.map(sortedText));
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(next)) pending.push(member);
    if (!isRecord(next)) continue;
    // No JSON: an instance of a class.
    if (Object.getPrototypeOf(next) !== Object.prototype) return false;
    const keys = Object.keys(next);
    if (!wanted.has(JSON.stringify(keys)) && sorted.has(sortedText(keys))) return false;
  }
  return true;
}

function sortedText(keys: readonly string[]): string {
  return JSON.stringify([...keys].sort());
}
