import { isSnapshotOf, type Snapshot, snapshotOf } from './snapshot.ts';

interface Kept<T, M> {
  /** The value, if nobody changes it. */
  readonly value: T | undefined;
  /** Else what it held. */
  readonly snapshot: Snapshot | undefined;
  readonly made: M;
}

/**
 * What was made of each value of the last list. The next list is often the same one with more at its end, in other
 * objects: what stands in the same place and holds the same is not made again. Values that are not plain data always are.
 */
export class LastList<T extends object, M> {
  readonly #make: (value: T, isConstant: boolean) => M;
  readonly #constants: WeakSet<object>;
  readonly #kept: Kept<T, M>[] = [];

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
  of(values: readonly T[], same: readonly [from: number, to: number] = [0, 0]): M[] {
    const kept = this.#kept;
    const made: M[] = [];
    for (let at = 0; at < values.length; at++) {
      const last = kept[at];
      const value = values[at] as T;
      const isSame = last && ((at >= same[0] && at < same[1]) || isOf(last, value));
      const next = isSame ? last : this.#new(value);
      if (next !== last) kept[at] = next;
      made.push(next.made);
    }
    kept.length = values.length;
    return made;
  }

  get length(): number {
    return this.#kept.length;
  }

  #new(value: T): Kept<T, M> {
    if (this.#constants.has(value))
      return { value, snapshot: undefined, made: this.#make(value, true) };
    const snapshot = snapshotOf(value);
    const made = snapshot ? this.#make(copyOf(value) as T, true) : this.#make(value, false);
    return { value: undefined, snapshot, made };
  }
}

function isOf<T, M>({ value, snapshot }: Kept<T, M>, now: T): boolean {
  return value === now || (snapshot !== undefined && isSnapshotOf(snapshot, now));
}

/** A copy of plain data. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}

export function areSameLists(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some === others) return true;
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
