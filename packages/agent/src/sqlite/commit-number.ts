import { randomInt } from 'node:crypto';

/** The first number of a file is a multiple of it, so that it is known to be the first. */
const STEP = 2 ** 16;

/**
 * The number of a change after that of the change before: one more. The numbers of a file begin at a random place, so
 * those of another file are others. A file that was never numbered has 0.
 */
export function commitNumberAfter(number: number): number {
  return number === 0 ? randomInt(1, STEP) * STEP : (number + 1) % 2 ** 32;
}

/**
 * Whether a log that begins with the number `next` may belong to a file with `number`. The two are equal where another
 * program has written first, which does not count its changes.
 */
export function mayFollow(number: number, next: number): boolean {
  return next === number || (number === 0 ? next % STEP === 0 : next === commitNumberAfter(number));
}

/** Whether a number is that of a change from `first` to `last`. */
export function isBetween(first: number, number: number, last: number): boolean {
  return (number - first) >>> 0 <= (last - first) >>> 0;
}
