import { isRecord } from '@toolfold/core/internal/tools/values';
import { inKeyOrder, type KeyOrders, readKeyOrders } from '../metadata/index.ts';
import type { LanguageModelV4ToolResultOutput } from '../protocol/index.ts';

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
