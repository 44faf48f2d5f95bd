import { lstatSync, statSync } from 'node:fs';
import { mayFollow } from './commit-number.ts';
import { realOf } from './live-files.ts';
import { bytesOf, commitNumberIn, FILE_HEADER, headerOf } from './log-file.ts';

/** The first bytes of a journal that SQLite would write back. */
const MAGIC = 'd9d505f920a163d7';
const HEADER = 28;

/**
 * Why the journal beside a file does not belong to it; undefined if it does. It holds the pages as they were before a
 * change, which SQLite writes back into any file.
 */
export function foreignJournal(file: string): string | undefined {
  const found = look(file);
  // Another process may have written while this one read.
  return found !== undefined && look(file) === found ? found : undefined;
}

function look(file: string): string | undefined {
  const bytes = bytesOf(`${file}-journal`);
  if (bytes.length < HEADER || bytes.toString('hex', 0, 8) !== MAGIC) return;
  const [rows, pages, start, page] = [8, 16, 20, 24].map((at) => bytes.readUInt32BE(at));
  // The first change of a new file.
  if (!pages || !start || !page) return;
  if (!statSync(file, { throwIfNoEntry: false })?.size)
    return 'it is empty or missing, while the journal beside it holds pages of a file';
  const end = start + (rows || Number.POSITIVE_INFINITY) * (page + 8);
  for (let at = start; at < end && at + page + 8 <= bytes.length; at += page + 8) {
    if (bytes.readUInt32BE(at) !== 1) continue;
    const before = commitNumberIn(bytes.subarray(at + 4, at + 4 + FILE_HEADER));
    const number = commitNumberIn(headerOf(file));
    if (mayFollow(before, number)) return;
    return `the journal beside it is of the change after ${before}, and the file is at change ${number}`;
  }
  return;
}

/** What stands beside a link to a file, where SQLite does not look for it; undefined if there is nothing. */
export function leftBesideLink(file: string): string | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const real = realOf(file);
  for (const end of ['-wal', '-journal']) {
    const isLeft = statSync(file + end, { throwIfNoEntry: false })?.size;
    if (isLeft && realOf(file + end) !== real + end)
      return `it is a link to ${real}, and a log of another file (${end}) is beside the link`;
  }
  return;
}
