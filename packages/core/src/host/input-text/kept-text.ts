import { isSnapshotOf, type Snapshot, snapshotOf } from '../../tools/values/index.ts';

interface Kept {
  /** What the input held; undefined for what is not plain, which is always written. */
  readonly snapshot: Snapshot | undefined;
  readonly text: string;
}

/** The texts of inputs. To compare an input with what it held takes a tenth of the time that writing it takes. */
const texts = new WeakMap<object, Kept>();
/** The text that was written last: a host often brings another object with the same content. */
let latest: WeakRef<Kept> | undefined;

/** The text of a value. It is written if the value does not hold exactly what it held when its text was kept. */
export function keptText(value: unknown, write: (value: unknown) => string): string {
  if (typeof value !== 'object' || value === null) return write(value);
  const own = texts.get(value);
  if (own && holds(own, value)) return own.text;
  const last = latest?.deref();
  const isLast = last !== undefined && holds(last, value);
  const kept = isLast ? last : { snapshot: snapshotOf(value), text: write(value) };
  if (!isLast) latest = new WeakRef(kept);
  texts.set(value, kept);
  return kept.text;
}

function holds({ snapshot, text }: Kept, value: unknown): boolean {
  return snapshot !== undefined && isReadable(text) && isSnapshotOf(snapshot, value);
}

/** Whether a text stands for a value that could be read. */
export function isReadable(text: string): boolean {
  return !text.startsWith('#');
}
