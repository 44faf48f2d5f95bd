import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Owner } from './lease.ts';

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
