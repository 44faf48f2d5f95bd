import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ownProperty } from '@toolfold/core/internal/tools/values';

/** Milliseconds after which a lock counts as left behind. */
const STALE_AFTER = 15_000;

/** Milliseconds between two signs of life of a process that holds a lock. */
const SIGN_OF_LIFE = 3000;

/** Milliseconds between two attempts. */
const PAUSE = 50;

/** Attempts to get a lock, for a minute. After that the work runs without it. */
const MAX_ATTEMPTS = 1200;

/**
 * Runs work that only one process may do at a time. The lock is a file beside `file`. Where no such file can
 * be made, and after a minute of waiting, the work runs without a lock.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const isLocked = await acquire(lock);
  const touch = (): void => void utimes(lock, new Date(), new Date()).catch(() => {});
  const timer = isLocked ? setInterval(touch, SIGN_OF_LIFE) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isLocked) await rm(lock, { force: true }).catch(() => {});
  }
}

async function acquire(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
      await (await open(lock, 'wx', 0o600)).close();
      return true;
    } catch (error) {
      if (ownProperty(error, 'code') !== 'EEXIST') return false;
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
