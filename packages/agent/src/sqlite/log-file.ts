import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { ownProperty } from '@toolfold/core/internal/values';
import { mayFollow } from './commit-number.ts';

/** Bytes of the header of a file of SQLite, which is the start of its first page. */
export const FILE_HEADER = 100;
/** Bytes of the header of a log of SQLite, and of that of each page in it. */
export const HEADER = 32;
export const PAGE_HEADER = 24;
/** The first bytes of a log; the last bit says in which order the bytes of its checksums stand. */
const MAGIC = 0x377f0682;

/** The header of a file, without SQLite, which could change the file by opening it. Zeros stand for what is missing. */
export function headerOf(file: string): Buffer {
  const header = Buffer.alloc(FILE_HEADER);
  const handle = ifThere(() => openRegular(file), undefined);
  if (handle === undefined) return header;
  try {
    readSync(handle, header);
    return header;
  } finally {
    closeSync(handle);
  }
}

export function isSqliteFile(header: Buffer): boolean {
  return header.toString('latin1', 0, 15) === 'SQLite format 3';
}

/** A log whose changes SQLite would write into a file that they do not belong to, or remove. */
export interface ForeignLog {
  /** The file is empty or missing, so that SQLite removes the log. */
  readonly isAlone: boolean;
  readonly what: string;
}

/**
 * Why the log beside a file does not belong to it; undefined if it does. SQLite takes every log that stands beside a
 * file: that of another file, and that of an earlier or a later state of it.
 */
export function foreignLog(file: string): ForeignLog | undefined {
  const found = lookAtBoth(file);
  // Another process may have written while this one read. Then the second look finds other numbers.
  return found !== undefined && lookAtBoth(file)?.what === found.what ? found : undefined;
}

function lookAtBoth(file: string): ForeignLog | undefined {
  // The log is read first: where there is one, another process has written the start of the file before.
  const log = readLog(bytesOf(`${file}-wal`));
  if (!log) return;
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (!size) {
    const what = `it is ${size === undefined ? 'missing' : 'empty'}, while the log beside it holds changes (${log.size} bytes)`;
    return { isAlone: true, what };
  }
  const header = headerOf(file);
  const [first] = log.headers;
  // Damage is read without writing. A log without numbers is of a version that does not number its changes.
  if (log.damage !== undefined || !first || !isSqliteFile(header)) return;
  if (log.headers.some((one) => one.equals(header))) return;
  const [number, next] = [commitNumberIn(header), commitNumberIn(first)];
  if (mayFollow(number, next)) return;
  const what = `the log beside it begins with change ${next}, and the file is at change ${number}`;
  return { isAlone: false, what };
}

/** The number of the change that wrote a header. SQLite calls it the id of the application. */
export function commitNumberIn(header: Buffer): number {
  return header.readUInt32BE(68);
}

/** A log as SQLite reads it. */
interface Log {
  readonly size: number;
  /** Why it is damaged, and what cannot be read therefore. */
  readonly damage?: string;
  /** The headers of the file that its changes wrote, in order. */
  readonly headers: readonly Buffer[];
}

/**
 * What SQLite no longer reads in a log, although it was written whole. SQLite takes a changed byte for the end of the
 * log, so it says nothing of what stands behind. Undefined if nothing is lost.
 */
export function lostInLog(log: string): string | undefined {
  const look = () => readLog(bytesOf(log))?.damage;
  const found = look();
  // Another process may have written while this one read. Damage stays.
  return found !== undefined && look() === found ? found : undefined;
}

/** Undefined for one without changes. */
function readLog(bytes: Buffer): Log | undefined {
  const size = bytes.length;
  if (size <= HEADER) return;
  const isBig = (bytes.readUInt32BE(0) & 1) === 1;
  const sum = new Checksum(isBig);
  sum.add(bytes.subarray(0, 24));
  if ((bytes.readUInt32BE(0) | 1) !== (MAGIC | 1) || !sum.equals(bytes.subarray(24, HEADER)))
    return { size, damage: 'the header of the log beside it was changed', headers: [] };
  const page = bytes.readUInt32BE(8);
  if (page === 0) return;
  const salt = bytes.subarray(16, 24);
  const headers: Buffer[] = [];
  /** The headers of a change that is not known to be whole. */
  let written: Buffer[] = [];
  /** Where the first page stands that SQLite does not read. */
  let end = 0;
  let commits = 0;
  for (let at = HEADER; at + PAGE_HEADER + page <= size; at += PAGE_HEADER + page) {
    const head = bytes.subarray(at, at + PAGE_HEADER);
    const body = bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + page);
    // What stands behind the end is of an earlier log.
    const isOfLog = head.subarray(8, 16).equals(salt);
    const isCommit = head.readUInt32BE(4) > 0;
    if (end === 0) {
      sum.add(head.subarray(0, 8));
      sum.add(body);
      if (!isOfLog || !sum.equals(head.subarray(16, 24))) end = at;
    }
    if (end > 0) {
      if (isOfLog && isCommit) commits += 1;
      continue;
    }
    if (head.readUInt32BE(0) === 1) written.push(body.subarray(0, FILE_HEADER));
    if (!isCommit) continue;
    headers.push(...written);
    written = [];
  }
  // A loss of power can leave one that is not whole. The next one begins only when it is.
  if (commits < 2) return { size, headers };
  const damage = `the log beside it was changed at byte ${end}, and changes behind that cannot be read`;
  return { size, damage, headers };
}

/** The bytes of a log. Another process may remove it at any time. */
export function bytesOf(log: string): Buffer {
  const handle = ifThere(() => openRegular(log), undefined);
  if (handle === undefined) return Buffer.alloc(0);
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Opens a regular file. A pipe would wait for its writer, and end at no signal. */
function openRegular(file: string): number {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw new Error(`${file} is not a regular file`);
}

function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (ownProperty(error, 'code') !== 'ENOENT') throw error;
    return otherwise;
  }
}

/** The checksum of SQLite's log: of all that was added, in words of four bytes. */
class Checksum {
  readonly #isBig: boolean;
  #first = 0;
  #second = 0;

  constructor(isBig: boolean) {
    this.#isBig = isBig;
  }

  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const isLittle = !this.#isBig;
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      this.#first = (this.#first + view.getUint32(at, isLittle) + this.#second) >>> 0;
      this.#second = (this.#second + view.getUint32(at + 4, isLittle) + this.#first) >>> 0;
    }
  }

  equals(bytes: Buffer): boolean {
    return bytes.readUInt32BE(0) === this.#first && bytes.readUInt32BE(4) === this.#second;
  }
}
