import { constants, openSync, statSync } from 'node:fs';
import { link, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import { usageError } from '../terminal/index.ts';

/** Time in milliseconds in which a pipe must get a reader. */
const READER_TIME = 1000;

/** Paths of the system that stand for something open, whatever it is. */
const OPEN_PLACES = /^\/(?:dev|proc)\//;

/**
 * Throws `invalid-option` if nothing may be written to this place: it is a folder, or a regular file and `force` is
 * not set. A device or a pipe is not replaced, so it needs no `force`.
 */
function checkPlace(file: string, force: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw usageError(`${file} is a folder.`, 'Name a file in it.');
  if (force || !found?.isFile() || isOpenPlace(file)) return;
  const hint = 'Give another file, or replace it with --force.';
  throw usageError(`There is a file ${file} already.`, hint);
}

/**
 * Writes texts to the place that a user has named, and leaves it what it is. A regular file is there whole or not at
 * all, and only the user can read it (mode 0600). A link is followed: its target is written. A device or a pipe
 * is opened and written. Rejects with `invalid-option` as `checkPlace` does, and if the place cannot be written.
 */
export async function writePlace(
  file: string,
  texts: AsyncIterable<string>,
  { force }: { readonly force: boolean },
): Promise<void> {
  checkPlace(file, force);
  const fail = (cause: unknown): never => {
    const message = `${file} cannot be written: ${errorMessage(cause)}.`;
    throw usageError(message, 'Check the path.', cause);
  };
  const found = await stat(file).catch(absent).catch(fail);
  if (found?.isFIFO()) return writePipe(file, texts).catch(fail);
  if (isOpenPlace(file) || (found && !found.isFile())) {
    const handle = await open(file, 'w').catch(fail);
    try {
      for await (const text of texts) await handle.writeFile(text).catch(fail);
    } finally {
      await handle.close();
    }
    return;
  }
  const target = await targetOf(file).catch(fail);
  const fresh = `${target}.${process.pid}.tmp`;
  try {
    const handle = await open(fresh, 'wx', 0o600).catch(fail);
    try {
      for await (const text of texts) await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a renamed file, a hard link replaces no file that has come meanwhile. Some file systems have none.
    if (!force && (await link(fresh, target).catch(errorMessage)) === undefined) return;
    checkPlace(file, force);
    await rename(fresh, target).catch(fail);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Writes to a pipe. It is never opened without a reader, because that would hold this process for ever. */
async function writePipe(file: string, texts: AsyncIterable<string>): Promise<void> {
  const end = performance.now() + READER_TIME;
  for (;;) {
    try {
      const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
      return await pipeline(texts, new Socket({ fd, readable: false, writable: true }));
    } catch (error) {
      if (ownProperty(error, 'code') !== 'ENXIO') throw error;
      if (performance.now() > end) throw new Error('nobody reads this pipe');
    }
    await setTimeout(50);
  }
}

/** The file to which a path leads through links, also if it does not exist yet. */
async function targetOf(file: string): Promise<string> {
  const real = await realpath(file).catch(absent);
  if (real !== undefined) return real;
  const next = await readlink(file).catch(absent);
  return next === undefined ? resolve(file) : targetOf(resolve(dirname(file), next));
}

function isOpenPlace(file: string): boolean {
  return OPEN_PLACES.test(resolve(file));
}

/** Nothing, if the reason of a failure is that nothing is there, or no link. */
function absent(error: unknown): undefined {
  const code = ownProperty(error, 'code');
  if (code === 'ENOENT' || code === 'EINVAL') return;
  throw error;
}
