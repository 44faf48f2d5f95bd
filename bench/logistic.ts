/** One example: its signs, whether it is positive, and how much it counts. */
export interface Example {
  readonly signs: readonly number[];
  readonly isRight: boolean;
  readonly weight: number;
}

const STEPS = 1_500;
/** Keeps weights small. In units of one example, for signs with a deviation of 1. */
const RIDGE = 0.002;

/**
 * A logistic regression: the weight of no sign, and one for each sign. Plain gradient ascent with
 * momentum on signs with mean 0 and deviation 1. It converges, because the function is concave.
 */
export function logisticRegression(examples: readonly Example[]): number[] {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const count = examples[0]?.signs.length ?? 0;
  const meanOf = (value: (signs: readonly number[]) => number) =>
    examples.reduce((sum, { signs, weight }) => sum + weight * value(signs), 0) / total;
  const means = Array.from({ length: count }, (_, i) => meanOf((signs) => signs[i] ?? 0));
  const deviations = means.map(
    (mean, i) => Math.sqrt(meanOf((signs) => ((signs[i] ?? 0) - mean) ** 2)) || 1,
  );
  const rows = examples.map(({ signs, isRight, weight }) => ({
    signs: [1, ...signs.map((sign, i) => (sign - (means[i] ?? 0)) / (deviations[i] ?? 1))],
    isRight: isRight ? 1 : 0,
    weight: weight / total,
  }));
  const weights = new Array<number>(count + 1).fill(0);
  const speed = new Array<number>(count + 1).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -RIDGE * weight));
    for (const { signs, isRight, weight } of rows) {
      const error = (isRight - chanceOf(signs, weights)) * weight;
      for (const [i, sign] of signs.entries()) gradient[i] = (gradient[i] ?? 0) + error * sign;
    }
    for (const i of weights.keys()) {
      speed[i] = 0.95 * (speed[i] ?? 0) + 0.2 * (gradient[i] ?? 0);
      weights[i] = (weights[i] ?? 0) + (speed[i] ?? 0);
    }
  }
  const scaled = weights.slice(1).map((weight, i) => weight / (deviations[i] ?? 1));
  const none =
    (weights[0] ?? 0) - scaled.reduce((sum, weight, i) => sum + weight * (means[i] ?? 0), 0);
  return [none, ...scaled];
}

/** The mean of −log of the likelihood of what is the case: the lower, the better. */
export function logLoss(examples: readonly Example[], weights: readonly number[]): number {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const losses = examples.map(({ signs, isRight, weight }) => {
    const chance = chanceOf([1, ...signs], weights);
    return -weight * Math.log(Math.max(1e-9, isRight ? chance : 1 - chance));
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / total;
}

/** The likelihood by weights of which the first is that of no sign; `signs` begins with 1. */
function chanceOf(signs: readonly number[], weights: readonly number[]): number {
  return 1 / (1 + Math.exp(-signs.reduce((sum, sign, i) => sum + sign * (weights[i] ?? 0), 0)));
}
