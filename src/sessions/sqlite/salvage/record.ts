import type { Value } from '../tables/index.ts';

/** A column of a row. Bytes are those of SQLite's type BLOB. */
export type Column = Value | Buffer;

/** A number of SQLite's variable length at a place, and the place behind it. */
export function varint(bytes: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let next = at; next < at + 8; ) {
    const byte = bytes[next++] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, next];
  }
  return [value * 256 + (bytes[at + 8] ?? 0), at + 9];
}

/** The columns of a row in SQLite's record format. Undefined if the bytes are no record. */
export function columnsIn(record: Buffer): readonly Column[] | undefined {
  const [end, start] = varint(record, 0);
  const columns: Column[] = [];
  let at = start;
  let from = end;
  while (at < end) {
    const [type, next] = varint(record, at);
    const to = from + lengthOf(type);
    const column = to <= record.length ? columnOf(type, record.subarray(from, to)) : undefined;
    if (column === undefined) return;
    columns.push(column);
    at = next;
    from = to;
  }
  return at === end && from === record.length ? columns : undefined;
}

/** Bytes of a column by its type: null, integers, a float, 0, 1, two types that no file has, bytes and text. */
const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function lengthOf(type: number): number {
  return LENGTHS[type] ?? Math.floor((type - 12) / 2);
}

function columnOf(type: number, bytes: Buffer): Column | undefined {
  if (type === 0) return null;
  if (type <= 5) return bytes.readIntBE(0, bytes.length);
  if (type === 6) return Number(bytes.readBigInt64BE());
  if (type === 7) return bytes.readDoubleBE();
  if (type <= 9) return type - 8;
  if (type < 12) return;
  return type % 2 === 0 ? bytes : bytes.toString();
}
