import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { LEASE_TIME, type Owner } from './lease.ts';

/** A new owner in this process. */
export function newOwner(): Owner {
  const { pid } = process;
  return {
    host: hostname(),
    boot: textOf('/proc/sys/kernel/random/boot_id'),
    pid,
    started: startOf(pid) ?? '',
    instance: randomUUID(),
  };
}

/**
 * Whether the process of an owner has certainly ended. False for processes of other hosts, which cannot
 * be looked up.
 */
export function isGone({ host, boot, pid, started }: Owner): boolean {
  if (host !== hostname()) return false;
  if (boot !== textOf('/proc/sys/kernel/random/boot_id')) return true;
  if (started !== '') return startOf(pid) !== started;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** What a store keeps about the last lease of a session. */
export interface LeaseState {
  /** Undefined if the lease was released, or if there was none. */
  readonly owner: Owner | undefined;
  /** When it was taken or renewed, in milliseconds since 1970 by its owner's clock. */
  readonly renewedAt: number;
}

/**
 * Whether a lease can be taken at the time `now`: it was released, it was not renewed for `LEASE_TIME`,
 * or its owner is gone. A time more than `LEASE_TIME` in the future means that a clock was set back. Such
 * a lease is free too, because it could seem to be new for years.
 */
export function isLeaseFree(
  { owner, renewedAt }: LeaseState,
  now: number,
  isOwnerGone: (owner: Owner) => boolean = isGone,
): boolean {
  if (!owner) return true;
  return Math.abs(now - renewedAt) >= LEASE_TIME || isOwnerGone(owner);
}

/** The start time of a process in clock ticks since the boot (field 22 of /proc/PID/stat). Linux only. */
function startOf(pid: number): string | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  // The name in parentheses may contain blanks and parentheses.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
