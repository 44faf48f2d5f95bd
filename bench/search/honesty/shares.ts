import type { ScoreScale } from '../../../packages/core/src/search.ts';
import type { Judged } from './judge.ts';

/** One measure: a value from 0 to 1 for each need that it is about. */
export interface Measure {
  readonly title: string;
  values(judged: readonly Judged[], scale: ScoreScale): number[];
}

const isServed = ({ kind }: Judged) => kind !== 'not served';

const told = (isMeant: (one: Judged) => boolean): Measure['values'] => {
  return (judged, { fits }) => judged.filter(isMeant).map(({ score }) => (score < fits ? 1 : 0));
};

/** The share of needs without a fitting tool where the search says so. */
export const TOLD: Measure = {
  title: 'not served, and told so',
  values: told((one) => !isServed(one)),
};

/** The same for the served needs in a catalog that lacks their right tools alone. */
export const TOLD_WITHOUT: Measure = {
  title: 'right tools taken out, and told so',
  values: (judged, { fits }) =>
    judged.filter(isServed).map(({ scoreWithout }) => (scoreWithout < fits ? 1 : 0)),
};

/** The share of served needs where the search wrongly says that no tool fits. */
export const WRONGLY_TOLD: Measure = {
  title: 'served, and wrongly told that nothing fits',
  values: told(isServed),
};

const r5 = (isMeant: (one: Judged) => boolean): Measure['values'] => {
  return (judged) => judged.filter(isMeant).map((one) => one.r5);
};

export const MEASURES: readonly Measure[] = [
  TOLD,
  TOLD_WITHOUT,
  WRONGLY_TOLD,
  {
    title: '- a word in common with the names of the right tools',
    values: told(({ kind }) => kind === 'plain'),
  },
  { title: '- none in common', values: told(({ kind }) => kind === 'reworded') },
  { title: 'served: R@5', values: r5(isServed) },
  {
    title: '- a word in common with the names of the right tools',
    values: r5(({ kind }) => kind === 'plain'),
  },
  { title: '- none in common', values: r5(({ kind }) => kind === 'reworded') },
  {
    title: 'first hit clear, and right',
    values: (judged, { clear }) =>
      judged.filter(({ score }) => score >= clear).map((one) => one.r1),
  },
];
