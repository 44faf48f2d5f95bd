/** The middle value. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Prints a time in milliseconds, with its target if there is one. */
export function show(what: string, ms: number, target?: number): void {
  const judged =
    target === undefined ? '' : `   target ${target} ms: ${ms <= target ? 'inside' : 'MISSED'}`;
  console.log(`  ${what.padEnd(56)}${ms.toFixed(0).padStart(7)} ms${judged}`);
}
