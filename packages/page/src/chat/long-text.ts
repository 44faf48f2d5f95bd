/** Characters that are laid out in one block without a break, and in all. */
const UNBROKEN = 2_000;
const MOST = 100_000;

/** Whether a text would take seconds to lay out as one block. */
export function isHeavy(text: string): boolean {
  return text.length > MOST || text.split(/\s/).some(({ length }) => length > UNBROKEN);
}

/** The text in blocks that are laid out one by one. */
export function blocksOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / UNBROKEN);
  return Array.from({ length: count }, (_, at) => text.slice(at * UNBROKEN, (at + 1) * UNBROKEN));
}
