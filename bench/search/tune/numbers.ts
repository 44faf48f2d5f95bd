import type { Weights } from '../../../packages/core/src/search/fields.ts';

/** One number of the weights of the ranking. */
export interface WeightNumber {
  /** For example `exact` or `name.weight`. */
  readonly name: string;
  readonly value: number;
  /** The weights with another value of this number. */
  changed(value: number): Weights;
}

/** Numbers from 0 to 1. */
const SHARES: readonly string[] = ['lengthEffect', 'exact', 'clause', 'verbs'];
/** Numbers without a fraction. */
const WHOLE: readonly string[] = ['leadWords'];

const FACTORS: readonly number[] = [0.5, 0.75, 1.33, 2];
/** Tried in place of 0, which no factor changes. */
const SMALL = 0.1;

/** All numbers of the weights, those of fields one by one. */
export function numbersOf(weights: Weights): WeightNumber[] {
  const entries: [string, Weights[keyof Weights]][] = Object.entries(weights);
  return entries.flatMap(([key, value]): WeightNumber[] => {
    if (typeof value === 'number')
      return [{ name: key, value, changed: (next) => ({ ...weights, [key]: next }) }];
    return Object.entries(value).map(([part, number]: [string, number]) => ({
      name: `${key}.${part}`,
      value: number,
      changed: (next) => ({ ...weights, [key]: { ...value, [part]: next } }),
    }));
  });
}

/** Other values to try for a number, in ascending order. */
export function candidatesOf({ name, value }: Pick<WeightNumber, 'name' | 'value'>): number[] {
  const values = value === 0 ? [SMALL] : FACTORS.map((factor) => value * factor);
  const most = SHARES.includes(name) ? 1 : Number.POSITIVE_INFINITY;
  const rounded = values.map((one) =>
    WHOLE.includes(name) ? Math.round(one) : Number(Math.min(most, one).toPrecision(3)),
  );
  return [...new Set(rounded)].filter((one) => one !== value);
}
