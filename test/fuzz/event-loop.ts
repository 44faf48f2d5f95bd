import { setImmediate as tick } from 'node:timers/promises';

/** Waits for a number of turns of the event loop. It uses no clock. */
export async function ticks(count: number): Promise<void> {
  for (let turns = 0; turns < count; turns++) await tick();
}

/** Waits until the condition holds, for at most `limit` turns of the event loop. */
export async function ticksUntil(condition: () => boolean, limit: number): Promise<void> {
  for (let turns = 0; turns < limit && !condition(); turns++) await tick();
}

/** Milliseconds after which a turn counts as hanging. */
const WATCHDOG = 20_000;

/** The result of the work, or `hangs` after the time limit. */
export async function watched<T>(work: Promise<T>): Promise<T | 'hangs'> {
  const { promise: hangs, resolve } = Promise.withResolvers<'hangs'>();
  const timer = setTimeout(() => resolve('hangs'), WATCHDOG);
  try {
    return await Promise.race([work, hangs]);
  } finally {
    clearTimeout(timer);
  }
}
