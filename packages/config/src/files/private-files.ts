import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ownProperty } from '@toolfold/core/internal/values';

/** Opens no link, and does not wait for the writer of a pipe. Windows has neither flag. */
export const REGULAR: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a regular file; `undefined` if there is nothing of this name. Rejects if it cannot be read,
 * and for a link or a pipe, which another program may have put there.
 */
export async function readPrivate(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, REGULAR);
    try {
      const found = await handle.stat();
      if (!found.isFile() && !found.isDirectory()) throw new Error('it is no regular file');
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = ownProperty(error, 'code');
    if (code === 'ENOENT') return undefined;
    throw code === 'ELOOP' ? new Error('it is a link', { cause: error }) : error;
  }
}

/**
 * Writes a file that only the user can read (mode 0600, in a folder of mode 0700). Replaces an
 * earlier file in one step, so that a reader in another process sees the old text or the new one.
 */
export async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Removes a file. Returns whether there was one: true for only one of several that remove it at the same time. */
export async function removePrivate(file: string): Promise<boolean> {
  try {
    await unlink(file);
    return true;
  } catch (error) {
    if (ownProperty(error, 'code') === 'ENOENT') return false;
    throw error;
  }
}
