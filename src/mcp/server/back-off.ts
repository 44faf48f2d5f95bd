/** Milliseconds before the second attempt after failures in a row. It doubles with each further one. */
const FIRST_DELAY = 1000;
const MAX_DELAY = 60_000;

/**
 * Milliseconds to wait after this many failures in a row. None after the first: a server that crashed
 * once is started by the next call. `random` in 0..1 spreads the attempts by up to a fifth.
 */
export function backOff(failures: number, random: number = Math.random()): number {
  if (failures <= 1) return 0;
  const delay = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (failures - 2));
  return Math.round(delay * (0.8 + 0.2 * random));
}
