/** What plain objects and arrays hold, one after another: it is compared with a value in one pass. */
export type Snapshot = readonly unknown[];

const ARRAY = Symbol();
const OBJECT = Symbol();
const END = Symbol();

/** Whether JSON writes all of the value: a plain object or array of any realm, without `toJSON`. */
export function isPlainJson(value: object): boolean {
  if (typeof (value as PlainObject).toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || Array.isArray(value)) return true;
  return Object.getPrototypeOf(prototype) === null;
}

/**
 * What the value holds. Undefined if an object in it is not plain, because it may have more state than its members,
 * or if it cannot be read.
 */
export function snapshotOf(value: unknown): Snapshot | undefined {
  const snapshot: unknown[] = [];
  try {
    return add(snapshot, value) ? snapshot.slice() : undefined;
  } catch {
    return;
  }
}

function add(snapshot: unknown[], value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    snapshot.push(value);
    return typeof value !== 'symbol';
  }
  if (!isPlainJson(value)) return false;
  if (Array.isArray(value)) {
    snapshot.push(ARRAY, value.length);
    for (let at = 0; at < value.length; at++) if (!add(snapshot, value[at])) return false;
    return true;
  }
  snapshot.push(OBJECT);
  for (const key in value) {
    snapshot.push(key);
    if (!add(snapshot, (value as PlainObject)[key])) return false;
  }
  snapshot.push(END);
  return true;
}

/** Whether the value holds exactly what it held then. The order of keys counts. */
export function isSnapshotOf(snapshot: Snapshot, value: unknown): boolean {
  try {
    return compared(snapshot, 0, value) === snapshot.length;
  } catch {
    return false;
  }
}

const DIFFERS = -1;

/** The index behind what stands for the value, which begins at this one. */
function compared(snapshot: Snapshot, from: number, value: unknown): number {
  let at = from;
  if (typeof value !== 'object' || value === null)
    return Object.is(snapshot[at], value) ? at + 1 : DIFFERS;
  if (!isPlainJson(value)) return DIFFERS;
  if (Array.isArray(value)) {
    if (snapshot[at++] !== ARRAY || snapshot[at++] !== value.length) return DIFFERS;
    for (let n = 0; n < value.length && at !== DIFFERS; n++) at = compared(snapshot, at, value[n]);
    return at;
  }
  if (snapshot[at++] !== OBJECT) return DIFFERS;
  for (const key in value) {
    if (snapshot[at++] !== key) return DIFFERS;
    const member = (value as PlainObject)[key];
    // A call for each member takes longer than the comparison of most of them.
    const isSame = typeof member !== 'object' && Object.is(snapshot[at], member);
    at = isSame ? at + 1 : compared(snapshot, at, member);
    if (at === DIFFERS) return DIFFERS;
  }
  return snapshot[at] === END ? at + 1 : DIFFERS;
}

type PlainObject = Readonly<Record<string, unknown>>;

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
    const last = this.#made;
    const known = Math.min(last.length, count);
    const [from, to] = [Math.min(same[0], known), Math.min(same[1], known)];
    // If something cannot be made, nothing is known of the last list.
    this.#made = [];
    const isSame = (at: number) => (at >= from && at < to) || this.#isKept(at, values);
    let first = 0;
    for (; first < known && isSame(first); first++)
      // One step, however many they are.
      if (first === from) first = Math.max(from, to - 1);
    const made: M[] = [];
    for (let at = first; at < count; at++)
      made.push(at < known && isSame(at) ? (last[at] as M) : this.#add(at, values[at] as T));
    // A list that was returned stays as it is, and is copied where it does not.
    const kept = first < last.length ? last.slice(0, first) : last;
    this.#made = made.length > 0 ? kept.concat(made) : kept;
    this.#values.length = count;
    this.#snapshots.length = count;
    return this.#made;
  }

  get length(): number {
    return this.#made.length;
  }

  /** Whether the value in this place holds what it held. */
  #isKept(at: number, values: readonly T[]): boolean {
    if (this.#values[at] === values[at]) return true;
    const snapshot = this.#snapshots[at];
    return snapshot !== undefined && isSnapshotOf(snapshot, values[at]);
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

/** Up to which index two lists have the same values, of those from `from` on. All who compare long lists share one compiled loop. */
export function sameStart(some: readonly unknown[], others: readonly unknown[], from = 0): number {
  const count = Math.min(some.length, others.length);
  let at = from;
  while (at < count && some[at] === others[at]) at++;
  return at;
}

export function areSameLists(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && sameStart(some, others) === some.length;
}
