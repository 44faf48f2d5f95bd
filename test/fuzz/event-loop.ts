import { setImmediate as tick } from 'node:timers/promises';

/** Lets the event loop turn so many times: time that needs no clock. */
export async function ticks(count: number): Promise<void> {
  for (let turns = 0; turns < count; turns++) await tick();
}

/** Lets it turn until something is so, or so many times. */
export async function ticksUntil(isSo: () => boolean, most: number): Promise<void> {
  for (let turns = 0; turns < most && !isSo(); turns++) await tick();
}

/** Milliseconds after which a turn is taken to hang. */
const WATCHDOG = 20_000;

/** What comes of it, or `hangs`. */
export async function watched<T>(work: Promise<T>): Promise<T | 'hangs'> {
  const { promise: hangs, resolve } = Promise.withResolvers<'hangs'>();
  const timer = setTimeout(() => resolve('hangs'), WATCHDOG);
  try {
    return await Promise.race([work, hangs]);
  } finally {
    clearTimeout(timer);
  }
}
