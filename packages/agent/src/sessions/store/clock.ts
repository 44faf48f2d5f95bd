import { readFileSync, readlinkSync } from 'node:fs';

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
export function bootId(): string {
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
export function kernelText(file: string): string {
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
export function kernelLink(file: string): string {
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
