import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Value } from '../tables/index.ts';

/** The pages of a file of SQLite. The first one has the number 1. */
export interface Pages {
  readonly size: number;
  readonly count: number;
  /** A page whose end is missing ends with zeros. */
  readonly read: (number: number) => Buffer;
}

/** A row of any table. A column that is the number of its row is null. */
export interface StoredRow {
  readonly number: number;
  readonly columns: readonly Column[];
}

/** The first byte of a page that holds rows of a table. */
const ROWS = 0x0d;
const HEADER = 8;
/** A page continues one row. Where damage lets another one claim it, both are read. */
const MOST_READS = 2;
/** The size of pages that SQLite uses if nothing else is asked for. */
const PAGE_SIZE = 4096;

/** Runs `work` with the pages of a file. */
export function withPages<T>(file: string, work: (pages: Pages) => T): T {
  const handle = openSync(file, 'r');
  const read = (at: number, length: number) => {
    const bytes = Buffer.alloc(length);
    readSync(handle, bytes, 0, length, at);
    return bytes;
  };
  try {
    // Each size that SQLite has is a power of two, so one changed bit is noticed.
    const said = read(16, 2).readUInt16BE();
    const size = said >= 512 && (said & (said - 1)) === 0 ? said : PAGE_SIZE;
    const count = Math.ceil(fstatSync(handle).size / size);
    return work({ size, count, read: (number) => read((number - 1) * size, size) });
  } finally {
    closeSync(handle);
  }
}

/**
 * The rows of all tables, page by page. It needs neither the header of the file, nor its schema, nor the
 * pages above the rows, so damage of a page loses the rows in it and no others. Each page is read once for
 * its own rows, and at most `MOST_READS` times as the continuation of a long one.
 */
export function* storedRows(pages: Pages): Generator<StoredRow> {
  const reads = new Map<number, number>();
  // The first page is the header and the schema.
  for (let number = 2; number <= pages.count; number++) {
    const page = pages.read(number);
    if (page[0] !== ROWS) continue;
    const places = Math.min(page.readUInt16BE(3), (pages.size - HEADER) / 2);
    for (let n = 0; n < places; n++) {
      const row = rowAt(page, page.readUInt16BE(HEADER + n * 2), pages, reads);
      if (row) yield row;
    }
  }
}

function rowAt(
  page: Buffer,
  place: number,
  pages: Pages,
  reads: Map<number, number>,
): StoredRow | undefined {
  const [length, afterLength] = varint(page, place);
  const [number, start] = varint(page, afterLength);
  const end = start + localLength(length, pages.size);
  let missing = length - (end - start);
  // A long row ends with the number of the page that continues it.
  if (place < HEADER || end + (missing > 0 ? 4 : 0) > pages.size || !Number.isSafeInteger(number))
    return;
  const parts = [page.subarray(start, end)];
  let next = missing > 0 ? page.readUInt32BE(end) : 0;
  while (missing > 0) {
    const before = reads.get(next) ?? 0;
    if (next < 2 || next > pages.count || before >= MOST_READS) return;
    reads.set(next, before + 1);
    const more = pages.read(next);
    parts.push(more.subarray(4, 4 + missing));
    missing -= pages.size - 4;
    next = more.readUInt32BE(0);
  }
  const columns = columnsIn(Buffer.concat(parts));
  return columns && { number, columns };
}

/** How many bytes of a row stand in its own page. */
function localLength(length: number, size: number): number {
  const most = size - 35;
  if (length <= most) return length;
  const least = Math.floor(((size - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (size - 4));
  return fitting <= most ? fitting : least;
}

/** A column of a row. Bytes are those of SQLite's type BLOB. */
type Column = Value | Buffer;

/** A number of SQLite's variable length at a place, and the place behind it. */
function varint(bytes: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let next = at; next < at + 8; ) {
    const byte = bytes[next++] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, next];
  }
  return [value * 256 + (bytes[at + 8] ?? 0), at + 9];
}

/** The columns of a row in SQLite's record format. Undefined if the bytes are no record. */
function columnsIn(record: Buffer): readonly Column[] | undefined {
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
