import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Milliseconds after which a lease is free if it was not renewed. */
export const LEASE_TIME = 15_000;

/** Milliseconds between two renewals of a lease. */
export const RENEWAL = 5_000;

/** The process that writes a session. */
export interface Owner {
  readonly host: string;
  /** The identity of the host's present boot, where the platform has one. */
  readonly boot: string;
  readonly pid: number;
  /** The namespace of process numbers in which `pid` is one, where the platform has such. */
  readonly pidSpace?: string;
  /** When the process started, in the platform's own unit, so that a reused pid is recognized. */
  readonly started: string;
  /** Distinguishes several owners in one process. */
  readonly instance: string;
  /** When it took the lease, in milliseconds since 1970 by its clock. Set by the store. */
  readonly since?: number;
}

/** The right to append to a session. */
export interface Lease {
  readonly session: string;
  /** Rises with each lease of a session. A store refuses an append with an earlier number. */
  readonly fence: number;
  readonly owner: Owner;
}

/** A new owner in this process. */
export function newOwner(): Owner {
  const { pid } = process;
  return {
    host: hostname(),
    boot: bootId(),
    pid,
    pidSpace: pidSpace(),
    started: startOf(pid) ?? '',
    instance: randomUUID(),
  };
}

/**
 * Whether the process of an owner has certainly ended. False for processes of other hosts and of other
 * containers, which cannot be looked up.
 */
export function isGone({ host, boot, pid, pidSpace: space, started }: Owner): boolean {
  if (host !== hostname()) return false;
  if (boot !== bootId()) return true;
  if (space !== pidSpace()) return false;
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
  /** When it was taken or renewed. */
  readonly renewed: Moment;
}

/**
 * Whether a lease can be taken at the moment `now`: it was released, it was not renewed for `LEASE_TIME`,
 * or its owner is gone. A clock that was set does not matter within one boot. Elsewhere, a time more than
 * `LEASE_TIME` in the future means that it was set back. Such a lease is free too, because it could seem to be
 * new for years.
 */
export function isLeaseFree({ owner, renewed }: LeaseState, now: Moment): boolean {
  return !owner || elapsed(renewed, now) >= LEASE_TIME || isGone(owner);
}

/** Containers on one machine may share its name and its boot, and each numbers its own processes. */
function pidSpace(): string {
  return kernelLink('/proc/self/ns/pid');
}

/** The start time of a process in clock ticks since the boot (field 22 of /proc/PID/stat). Linux only. */
function startOf(pid: number): string | undefined {
  const text = kernelText(`/proc/${pid}/stat`);
  // The name in parentheses may contain blanks and parentheses.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

/** A moment, by the clock that people set, and by one that nobody sets. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The machine's clock that nobody sets, in its present boot. Absent where the platform names no boot. */
  readonly clock?: string;
  /** Milliseconds by that clock. */
  readonly ticks?: number;
}

/** The identity of the present boot. Empty where the platform has none. */
function bootId(): string {
  return kernelText('/proc/sys/kernel/random/boot_id');
}

export function thisMoment(): Moment {
  const at = Date.now();
  return CLOCK === '' ? { at } : { at, clock: CLOCK, ticks: ticks() };
}

/**
 * Milliseconds from one moment to a later one, however the clock was set between them. Without a common second
 * clock, how far the first one is from there: a time in the future may never come.
 */
export function elapsed(from: Moment, to: Moment): number {
  const isSame = from.clock !== undefined && from.clock === to.clock;
  if (!isSame || from.ticks === undefined || to.ticks === undefined)
    return Math.abs(to.at - from.at);
  return Math.abs(to.ticks - from.ticks);
}

/** The text of a file of the kernel. Empty where there is none. */
function kernelText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function ticks(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** The target of a link of the kernel. Empty where there is none. */
function kernelLink(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** Each namespace of times has a clock of its own, where the kernel has such namespaces. */
function clockName(): string {
  const boot = bootId();
  return boot === '' ? '' : `${boot} ${kernelLink('/proc/self/ns/time')}`.trim();
}

const CLOCK = clockName();
