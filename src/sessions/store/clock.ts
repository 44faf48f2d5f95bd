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

/** Each namespace of times has a clock of its own. */
function clockName(): string {
  const boot = bootId();
  if (boot === '') return '';
  try {
    return `${boot} ${readlinkSync('/proc/self/ns/time')}`;
  } catch {
    // The kernel has no such namespaces.
    return boot;
  }
}

const CLOCK = clockName();
