import { chmodSync, closeSync, mkdirSync, openSync, readSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { unavailable } from './tables/index.ts';

/** The types of file systems on a network, by the numbers of Linux: NFS, SMB, CIFS, AFS, Ceph, 9P. */
const NETWORKS: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x00c36400, 0x01021997,
]);

/** Makes a folder and a file in it, both for the user alone, and returns the first bytes of the file. SQLite gives its other files the same rights. */
export function prepareFile(file: string): Buffer {
  return orUnavailable(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const start = startOf(file, 'a+');
    chmodSync(file, 0o600);
    return start;
  });
}

/** The first bytes of a file. */
export function startOf(file: string, flags: 'r' | 'a+'): Buffer {
  const handle = openSync(file, flags, 0o600);
  try {
    const start = Buffer.alloc(64);
    return start.subarray(0, readSync(handle, start, 0, start.length, 0));
  } finally {
    closeSync(handle);
  }
}

/** Whether a file is on another machine, where processes of several machines can not share memory. */
export function isOnNetwork(file: string): boolean {
  return process.platform === 'linux' && isNetwork(statfsSync(dirname(file)).type);
}

export function isNetwork(type: number): boolean {
  return NETWORKS.has(type >>> 0);
}

/** Runs `work` with files. Throws `session-unavailable` with the place instead of its errors. */
export function orUnavailable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ToolfoldError) throw error;
    throw unavailable(file, errorMessage(error), 'Check the folder and its permissions.', error);
  }
}
