import { median } from '../pool/figures.ts';

/** Milliseconds of the middle call, and calls a second with 8 and with 64 in flight. */
export interface Speed {
  readonly p50: number;
  readonly at8: number;
  readonly at64: number;
}

/** Measures calls one after another and at once, after a warm-up. `total`: how many. */
export async function speedOf(call: () => Promise<unknown>, total = 10_000): Promise<Speed> {
  for (let at = 0; at < total / 30; at++) await call();
  const times: number[] = [];
  for (let at = 0; at < total / 10; at++) {
    const begin = performance.now();
    await call();
    times.push(performance.now() - begin);
  }
  const rate = async (width: number, count: number): Promise<number> => {
    let left = count;
    const begin = performance.now();
    const worker = async (): Promise<void> => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: width }, worker));
    return (count / (performance.now() - begin)) * 1000;
  };
  return { p50: median(times), at8: await rate(8, total / 2), at64: await rate(64, total) };
}

export function shownSpeed({ p50, at8, at64 }: Speed): string {
  const rates = [at8, at64].map((one) => `${one.toFixed(0).padStart(7)}/s`).join('');
  return `p50 ${p50.toFixed(3)} ms${rates} at 8 and 64`;
}
