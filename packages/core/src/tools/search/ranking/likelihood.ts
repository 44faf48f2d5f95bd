import type { ScoreScale, ScoreSigns } from '../contract/index.ts';

/** The weight of each sign in the logarithm of the odds, 0 if left out, and the logarithm where there is no sign. */
export type ScoreWeights = Readonly<Partial<ScoreSigns> & { none: number }>;

/** How signs become a score, and how scores are read. */
export interface ScoreModel {
  /** For the likelihood that the first hit is right. */
  readonly right: ScoreWeights;
  /** The share of first hits that are right where all signs say so: another tool may do nearly the same. */
  readonly most: number;
  /** For the likelihood that some tool of the catalog serves the query. */
  readonly served: ScoreWeights;
  /** With a lower likelihood of that, a score is below `scale.fits`. */
  readonly doubt: number;
  readonly scale: ScoreScale;
}

/** The names of all signs. */
export const SCORE_SIGNS: readonly (keyof ScoreSigns)[] = [
  'words',
  'missing',
  'referenceWords',
  'meaning',
  'similarity',
  'referenceSimilarity',
  'likeness',
  'fewTools',
];

/**
 * Logistic regressions over development queries of public sets and the even lines of bench/search/data, served
 * and not. `npm run bench:search -- --fit --tables HELD` prints them (`training/README.md`). Very small catalogs and
 * tools of other sets were among the queries for `served` of `vectors` alone, with word vectors that did not know the queries.
 */
export const SCORES: Readonly<Record<'words' | 'vectors', ScoreModel>> = {
  words: {
    right: {
      none: -3.48,
      words: 5.89,
      missing: -1.95,
      referenceWords: -1.23,
      meaning: 2.47,
    },
    most: 0.97,
    served: {
      none: -2.05,
      words: 6.93,
      missing: -2.69,
      referenceWords: -2.64,
      meaning: 2.72,
    },
    doubt: 0.1,
    scale: { fits: 0.06, clear: 0.9 },
  },
  vectors: {
    right: {
      none: -5.2,
      words: 1.72,
      missing: -0.71,
      referenceWords: -0.54,
      meaning: 0.47,
      similarity: 9.21,
      referenceSimilarity: -4.4,
      likeness: 1.91,
    },
    most: 0.89,
    served: {
      none: -0.67,
      words: 2.1,
      missing: -2.28,
      referenceWords: -2.04,
      similarity: 9.63,
      referenceSimilarity: -7.58,
      likeness: 1.21,
      fewTools: 0.5,
    },
    doubt: 0.23,
    scale: { fits: 0.07, clear: 0.85 },
  },
};

/** The similarity from which on a tool may fit that answers no word of the query. */
const LEAST_SIMILARITY = 0.2;
/** The smallest difference of scores. */
const STEP = 0.001;

/** How likely a first hit with these signs is right, from 0 to 1; below `scale.fits` if perhaps nothing fits. */
export function scoreOf(
  signs: ScoreSigns,
  { right, most, served, doubt, scale }: ScoreModel,
): number {
  const score = most * likelihoodOf(signs, right);
  const isFar = signs.words === 0 && signs.meaning === 0 && signs.similarity < LEAST_SIMILARITY;
  return isFar || likelihoodOf(signs, served) < doubt
    ? Math.min(scale.fits - STEP, score)
    : Math.max(scale.fits, score);
}

/** What a regression says of these signs, from 0 to 1. */
export function likelihoodOf(signs: ScoreSigns, weights: ScoreWeights): number {
  const logOdds = SCORE_SIGNS.reduce(
    (sum, sign) => sum + (weights[sign] ?? 0) * signs[sign],
    weights.none,
  );
  return 1 / (1 + Math.exp(-logOdds));
}

/** The best of each sign. Without any, nothing is answered. */
export function bestSigns(all: readonly ScoreSigns[]): ScoreSigns {
  const best = SCORE_SIGNS.map((sign) => {
    const values = all.map((signs) => signs[sign]);
    return [sign, sign === 'missing' ? Math.min(2, ...values) : Math.max(0, ...values)] as const;
  });
  return Object.fromEntries(best) as Record<keyof ScoreSigns, number>;
}
