import { isSnapshotOf, type Snapshot, snapshotOf } from './snapshot.ts';

/**
 * What was made of each value of the last list. The next list is often the same one with more at its end, in other
 * objects: what stands in the same place and holds the same is not made again. Values that are not plain data always are.
 */
export class LastList<T extends object, M> {
  readonly #make: (value: T, isConstant: boolean) => M;
  readonly #constants: WeakSet<object>;
  /** The values that nobody changes. */
  readonly #values: (T | undefined)[] = [];
  /** What the others held, if they are plain data. */
  readonly #snapshots: (Snapshot | undefined)[] = [];
  #made: readonly M[] = [];

  /**
   * `make` gets a copy of its own, or one of the `constants`, which nobody changes; else `isConstant` is
   * false.
   */
  constructor(
    make: (value: T, isConstant: boolean) => M,
    constants: WeakSet<object> = new WeakSet(),
  ) {
    this.#make = make;
    this.#constants = constants;
  }

  /**
   * What is made of these values. They take the place of the last ones. `same`: the caller knows that the values from
   * the first index to the one before the second hold what they held.
   */
  of(values: readonly T[], same: readonly [from: number, to: number] = [0, 0]): readonly M[] {
    const count = values.length;
    const made = this.#made.slice(0, count);
    this.#made = made;
    const [from, to] = [Math.min(same[0], made.length), Math.min(same[1], made.length)];
    for (let at = 0; at < count; at++) {
      // One step, however many they are.
      if (at === from && to > from) at = to;
      if (at >= count) break;
      const value = values[at] as T;
      if (at < made.length && this.#isKept(at, value)) continue;
      made[at] = this.#add(at, value);
    }
    this.#values.length = count;
    this.#snapshots.length = count;
    return made;
  }

  get length(): number {
    return this.#made.length;
  }

  #isKept(at: number, value: T): boolean {
    if (this.#values[at] === value) return true;
    const snapshot = this.#snapshots[at];
    return snapshot !== undefined && isSnapshotOf(snapshot, value);
  }

  #add(at: number, value: T): M {
    const isConstant = this.#constants.has(value);
    const snapshot = isConstant ? undefined : snapshotOf(value);
    const made = this.#make(snapshot ? (copyOf(value) as T) : value, isConstant || !!snapshot);
    this.#values[at] = isConstant ? value : undefined;
    this.#snapshots[at] = snapshot;
    return made;
  }
}

/** A copy of plain data. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}

/** How many values two lists have in common at their beginning. All who compare long lists share one compiled loop. */
export function sameStart(some: readonly unknown[], others: readonly unknown[]): number {
  const count = Math.min(some.length, others.length);
  let at = 0;
  while (at < count && some[at] === others[at]) at++;
  return at;
}

export function areSameLists(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && sameStart(some, others) === some.length;
}
