import { canonicalJson } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';

/** Whether two entries start the same server in the same way, secrets included. */
export function isSameEntry(one: ServerEntry, other: ServerEntry): boolean {
  if (one === other) return true;
  if (one.kind === 'transport' || other.kind === 'transport') return false;
  return textOf(one) === textOf(other);
}

function textOf(entry: Exclude<ServerEntry, { kind: 'transport' }>): string {
  const plain = Object.entries(entry).map(([key, value]) => [
    key,
    value instanceof Map ? [...value] : value,
  ]);
  return canonicalJson(plain);
}
