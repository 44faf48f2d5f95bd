const loose = new WeakSet<object>();

/** Marks a list whose globs may match no tool: it names servers and tools that many apps do not have. */
export function looseGlobs<T extends readonly string[]>(globs: T): T {
  loose.add(globs);
  return globs;
}

/** Whether each glob of a list is meant to match a tool. */
export function mustMatch(globs: readonly string[]): boolean {
  return !loose.has(globs);
}
