import { median } from '../pool/figures.ts';

/** Milliseconds of the middle call, and calls a second with 8 and with 64 in flight. */
export interface Speed {
  readonly p50: number;
  readonly at8: number;
  readonly at64: number;
}

/** Measures calls one after another and at once, after a warm-up. `total`: how many. */
export async function speedOf(call: () => Promise<unknown>, total = 10_000): Promise<Speed> {
  const [p50 = 0] = await middleOf([call], total);
  return { p50, ...(await ratesOf(call, total)) };
}

/**
 * The milliseconds of the middle call of each way, after a warm-up. The ways take turns, so that another load of the
 * machine is one of all of them.
 */
export async function middleOf(
  calls: readonly (() => Promise<unknown>)[],
  total = 10_000,
): Promise<number[]> {
  const ways = calls.map((call) => ({ call, times: [] as number[] }));
  for (let at = 0; at < total / 30; at++) for (const { call } of ways) await call();
  for (let at = 0; at < total / 10; at++)
    for (const { call, times } of ways) {
      const begin = performance.now();
      await call();
      times.push(performance.now() - begin);
    }
  return ways.map(({ times }) => median(times));
}

/** Calls a second with 8 and with 64 in flight. */
export async function ratesOf(
  call: () => Promise<unknown>,
  total = 10_000,
): Promise<Omit<Speed, 'p50'>> {
  const rate = async (width: number, count: number): Promise<number> => {
    let left = count;
    const begin = performance.now();
    const worker = async (): Promise<void> => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: width }, worker));
    return (count / (performance.now() - begin)) * 1000;
  };
  return { at8: await rate(8, total / 2), at64: await rate(64, total) };
}

export function shownSpeed({ p50, at8, at64 }: Speed): string {
  const rates = [at8, at64].map((one) => `${one.toFixed(0).padStart(7)}/s`).join('');
  return `p50 ${p50.toFixed(3)} ms${rates} at 8 and 64`;
}
