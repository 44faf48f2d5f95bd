/** Random choices. The same seed gives the same choices on every machine and in every run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must give different choices from the start.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** A separate generator for a part of the work, so that the choices of one part do not change those of another. */
  fork(label: string): Random {
    let hash = 0x811c9dc5;
    for (const character of label) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
    return new Random((this.#state ^ hash) >>> 0);
  }

  /** A number from 0 (included) to 1 (excluded): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const found = from[this.int(0, from.length - 1)];
    if (from.length === 0) throw new RangeError('There is nothing to pick from.');
    return found as T;
  }

  /** One row of a table. Rows with more weight are more likely. */
  weighted<T extends { readonly weight: number }>(rows: readonly T[]): T {
    let left = this.next() * rows.reduce((sum, { weight }) => sum + weight, 0);
    for (const row of rows) {
      left -= row.weight;
      if (left < 0) return row;
    }
    return this.pick(rows);
  }

  shuffled<T>(from: readonly T[]): T[] {
    const keyed = from.map((item) => ({ item, key: this.next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
