import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { own } from '../../../tools/values/index.ts';

/** Milliseconds after which a lock counts as left behind. The work under a lock takes less time. */
const STALE_AFTER = 60_000;

/** Milliseconds between two attempts. */
const PAUSE = 50;

/**
 * Runs work that only one process may do at a time. The lock is a file beside `file`. Where no such file can
 * be made, the work runs without a lock.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const isLocked = await acquire(lock);
  try {
    return await work();
  } finally {
    if (isLocked) await rm(lock, { force: true }).catch(() => {});
  }
}

async function acquire(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt * PAUSE <= STALE_AFTER; attempt++) {
    try {
      await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
      await (await open(lock, 'wx', 0o600)).close();
      return true;
    } catch (error) {
      if (own(error, 'code') !== 'EEXIST') return false;
    }
    if (await isStale(lock)) await rm(lock, { force: true }).catch(() => {});
    await delay(PAUSE);
  }
  return false;
}

async function isStale(lock: string): Promise<boolean> {
  try {
    return Math.abs(Date.now() - (await stat(lock)).mtimeMs) > STALE_AFTER;
  } catch {
    // The lock was released in the meantime.
    return false;
  }
}
