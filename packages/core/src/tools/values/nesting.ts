/**
 * The most levels of nesting that are accepted from a server or a loader. Later readers of the
 * value recurse: this package, the AI SDK, providers. Real schemas and results have fewer than
 * 30.
 */
export const MAX_NESTING = 200;

/** How big a JSON value is. */
export interface Weight {
  /** Levels of objects and lists. Inexact above the limit that was given. */
  readonly depth: number;
  /** About the characters of its JSON. */
  readonly size: number;
}

/**
 * Measures a JSON value of any depth without recursion. It stops at the first level below
 * `maxDepth` and at the first value over `maxSize`.
 */
export function measureNesting(value: unknown, maxDepth: number, maxSize: number): Weight {
  let depth = 0;
  let size = 0;
  let level: unknown[] = [value];
  for (;;) {
    const next: unknown[] = [];
    for (const item of level) {
      size += 4;
      if (typeof item === 'string') size += item.length;
      else if (Array.isArray(item)) for (const member of item) next.push(member);
      else if (typeof item === 'object' && item !== null) {
        for (const [key, member] of Object.entries(item)) {
          size += key.length + 4;
          next.push(member);
        }
      }
      if (size > maxSize) return { depth, size };
    }
    if (!level.some((item) => typeof item === 'object' && item !== null)) return { depth, size };
    depth += 1;
    if (depth > maxDepth) return { depth, size };
    level = next;
  }
}

/** Whether a value is nested more deeply than `MAX_NESTING`. */
export function isTooDeep(value: unknown): boolean {
  return measureNesting(value, MAX_NESTING, Number.POSITIVE_INFINITY).depth > MAX_NESTING;
}
