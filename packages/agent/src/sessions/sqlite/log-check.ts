import { readFileSync } from 'node:fs';
import { ownProperty } from '@toolfold/core/internal/tools/values';

/** Bytes of the header of a log of SQLite, and of that of each page in it. */
const HEADER = 32;
const PAGE_HEADER = 24;
/** The first bytes of a log; the last bit says in which order the bytes of its checksums stand. */
const MAGIC = 0x377f0682;

/**
 * What SQLite no longer reads in a log, although it was written whole. SQLite takes a changed byte for the end of the
 * log, so it says nothing of what stands behind. Undefined if nothing is lost.
 */
export function lostInLog(log: string): string | undefined {
  const found = look(log);
  // Another process may have written while this one read. Damage stays.
  return found !== undefined && look(log) === found ? found : undefined;
}

function look(log: string): string | undefined {
  const bytes = bytesOf(log);
  if (bytes.length < HEADER) return;
  const isBig = (bytes.readUInt32BE(0) & 1) === 1;
  const sum = new Checksum(isBig);
  sum.add(bytes.subarray(0, 24));
  if ((bytes.readUInt32BE(0) | 1) !== (MAGIC | 1) || !sum.equals(bytes.subarray(24, HEADER)))
    return 'the header of the log beside it was changed';
  const page = bytes.readUInt32BE(8);
  if (page === 0) return;
  const salt = bytes.subarray(16, 24);
  /** Where the first page stands that SQLite does not read. */
  let end = 0;
  let commits = 0;
  for (let at = HEADER; at + PAGE_HEADER + page <= bytes.length; at += PAGE_HEADER + page) {
    const head = bytes.subarray(at, at + PAGE_HEADER);
    // What stands behind the end is of an earlier log.
    const isOfLog = head.subarray(8, 16).equals(salt);
    if (end === 0) {
      sum.add(head.subarray(0, 8));
      sum.add(bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + page));
      if (!isOfLog || !sum.equals(head.subarray(16, 24))) end = at;
    }
    if (end > 0 && isOfLog && head.readUInt32BE(4) > 0) commits += 1;
  }
  // A loss of power can leave one that is not whole. The next one begins only when it is.
  if (commits < 2) return;
  return `the log beside it was changed at byte ${end}, and changes behind that cannot be read`;
}

/** The bytes of a log. Another process may remove it at any time. */
function bytesOf(log: string): Buffer {
  try {
    return readFileSync(log);
  } catch (error) {
    if (ownProperty(error, 'code') !== 'ENOENT') throw error;
    return Buffer.alloc(0);
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
