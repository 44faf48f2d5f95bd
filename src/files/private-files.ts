import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ownProperty } from '../tools/values/index.ts';

/** The text of a file; `undefined` if there is no such file. Rejects if it cannot be read. */
export async function readPrivate(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (ownProperty(error, 'code') === 'ENOENT') return undefined;
    throw error;
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

/** Removes a file. Returns whether there was one. */
export async function removePrivate(file: string): Promise<boolean> {
  try {
    await rm(file);
    return true;
  } catch (error) {
    if (ownProperty(error, 'code') === 'ENOENT') return false;
    throw error;
  }
}
