import { seeded } from './random.ts';

const RESAMPLES = 2_000;
const SEED = 7;

/** A mean with the bounds of its 95 % interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The mean. 0 for no values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value that the given share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/**
 * The mean of the means of several samples, with an interval from bootstrap resamples: each sample
 * is drawn again from itself. With one sample this is its mean.
 */
export function macroEstimate(samples: readonly (readonly number[])[]): Estimate {
  const random = seeded(SEED);
  const draws = Array.from({ length: RESAMPLES }, () =>
    mean(samples.map((s) => redrawn(s, random))),
  );
  return {
    mean: mean(samples.map(mean)),
    low: quantile(draws, 0.025),
    high: quantile(draws, 0.975),
  };
}

/** The mean of as many random members as the sample has. */
function redrawn(sample: readonly number[], random: () => number): number {
  let sum = 0;
  for (let n = 0; n < sample.length; n++) sum += sample[Math.floor(random() * sample.length)] ?? 0;
  return sample.length === 0 ? 0 : sum / sample.length;
}
