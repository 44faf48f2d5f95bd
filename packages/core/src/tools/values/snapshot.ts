/** What plain objects and arrays hold, one after another: it is compared with a value in one pass. */
export type Snapshot = readonly unknown[];

const ARRAY = Symbol();
const OBJECT = Symbol();
const END = Symbol();

/** Whether JSON writes all of the value: a plain object or array of any realm, without `toJSON`. */
export function isPlain(value: object): boolean {
  if (typeof (value as Members).toJSON === 'function') return false;
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
  if (!isPlain(value)) return false;
  if (Array.isArray(value)) {
    snapshot.push(ARRAY, value.length);
    for (let at = 0; at < value.length; at++) if (!add(snapshot, value[at])) return false;
    return true;
  }
  snapshot.push(OBJECT);
  for (const key in value) {
    snapshot.push(key);
    if (!add(snapshot, (value as Members)[key])) return false;
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
  if (!isPlain(value)) return DIFFERS;
  if (Array.isArray(value)) {
    if (snapshot[at++] !== ARRAY || snapshot[at++] !== value.length) return DIFFERS;
    for (let n = 0; n < value.length && at !== DIFFERS; n++) at = compared(snapshot, at, value[n]);
    return at;
  }
  if (snapshot[at++] !== OBJECT) return DIFFERS;
  for (const key in value) {
    if (snapshot[at++] !== key) return DIFFERS;
    const member = (value as Members)[key];
    // A call for each member takes longer than the comparison of most of them.
    const isSame = typeof member !== 'object' && Object.is(snapshot[at], member);
    at = isSame ? at + 1 : compared(snapshot, at, member);
    if (at === DIFFERS) return DIFFERS;
  }
  return snapshot[at] === END ? at + 1 : DIFFERS;
}

type Members = Readonly<Record<string, unknown>>;
