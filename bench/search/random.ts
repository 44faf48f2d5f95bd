/** A generator of numbers from 0 to 1 that gives the same numbers for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy in an order that depends on the seed alone. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const keyed = items.map((item) => ({ item, at: 0 }));
  const random = seeded(seed);
  for (const entry of keyed) entry.at = random();
  return keyed.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

/** At most `limit` items, at even distances, in their order. */
export function evenSample<T>(items: readonly T[], limit: number): T[] {
  if (items.length <= limit) return [...items];
  const step = items.length / limit;
  const sample: T[] = [];
  for (let n = 0; n < limit; n++) {
    const item = items[Math.floor(n * step)];
    if (item !== undefined) sample.push(item);
  }
  return sample;
}
