import { canonicalJson } from '../values/index.ts';

/** Equal for calls of one name with inputs equal as JSON. */
export function callSignature(name: string, input: unknown): string {
  if (typeof input === 'string') return `${name}\0${input}`;
  try {
    return `${name}\0${canonicalJson(input)}`;
  } catch {
    // Nested deeper than the stack: it differs from all that can be read, and equals its like.
    return `${name}\0\0`;
  }
}
