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

  /** What is made of these values. They take the place of the last ones. */
  of(values: readonly T[]): M[] {
    const kept = this.#kept;
    const made: M[] = [];
    for (const [at, value] of values.entries()) {
      const last = kept[at];
      const next = last && isOf(last, value) ? last : this.#new(value);
      if (next !== last) kept[at] = next;
      made.push(next.made);
    }
    kept.length = values.length;
    return made;
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
