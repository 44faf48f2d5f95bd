import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { plainCount } from '../../tools/values/index.ts';
import { openFile, orUnavailable } from './open-file.ts';
import { type Salvaged, salvage, withPages } from './salvage/index.ts';

/** What SQLite keeps beside a file. */
const BESIDE = ['-wal', '-shm', '-journal'];

/**
 * Keeps a copy of a damaged file and puts a new file in its place, with all that could be read. No other
 * process may have it open. Returns what the user must know. If the process ends before the end, the
 * damaged file is still in its place.
 */
export function repair(file: string): string {
  const aside = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  const fresh = `${file}.new`;
  const salvaged = orUnavailable(file, () => {
    const found = copyReadable(file, aside, fresh);
    for (const end of BESIDE) rmSync(file + end, { force: true });
    renameSync(fresh, file);
    makeDurable(dirname(file));
    return found;
  });
  return `The file of sessions ${file} was damaged. It was kept as ${aside}. ${report(salvaged)}`;
}

function report({ sessions, entries, incomplete }: Salvaged): string {
  if (sessions === 0) return 'Nothing in it could be read. There is a new empty file in its place.';
  const kept = `${plainCount(sessions, 'session')} with ${entries} of their entries`;
  const loss =
    incomplete === 0
      ? ''
      : ` ${incomplete} of them had more. They can be read, and forked before a gap.`;
  return `What could be read is in a new file in its place: ${kept}.${loss}`;
}

/** Lets the new names in a folder survive a loss of power, where the platform offers that. */
function makeDurable(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Copies a file, and what can be read of it into a fresh one. Leaves neither of them if that fails, as on a full disk. */
function copyReadable(file: string, aside: string, fresh: string): Salvaged {
  const remove = (copy: string) => {
    for (const end of ['', ...BESIDE]) rmSync(copy + end, { force: true });
  };
  remove(fresh);
  try {
    for (const end of ['', '-wal']) {
      if (existsSync(file + end)) copyFileSync(file + end, aside + end, constants.COPYFILE_FICLONE);
    }
    const target = openFile(fresh);
    try {
      // The file was closed before, so what stood in the log beside it is in it.
      const found = withPages(file, (pages) => salvage(pages, target));
      // What stands in a log would not get the name of the file.
      target.pragma('journal_mode = DELETE');
      return found;
    } finally {
      target.close();
    }
  } catch (error) {
    for (const copy of [fresh, aside]) remove(copy);
    throw error;
  }
}
