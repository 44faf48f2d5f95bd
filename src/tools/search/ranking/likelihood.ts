import type { ScoreScale, ScoreSigns } from '../contract/index.ts';

/** The weight of each sign in the logarithm of the odds, and the logarithm where there is no sign. */
export type ScoreWeights = Readonly<Record<keyof ScoreSigns | 'none', number>>;

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
];

/**
 * Logistic regressions over development queries of public sets and the even lines of bench/search/data, served
 * and not. `npm run bench:search -- --fit` prints them.
 */
export const SCORES: Readonly<Record<'words' | 'vectors', ScoreModel>> = {
  words: {
    right: {
      none: -2.48,
      words: 6.29,
      missing: -1.53,
      referenceWords: -2.12,
      meaning: 0,
      similarity: 0,
      referenceSimilarity: 0,
      likeness: 0,
    },
    most: 1,
    served: {
      none: -0.87,
      words: 6.7,
      missing: -1.94,
      referenceWords: -3.75,
      meaning: 0,
      similarity: 0,
      referenceSimilarity: 0,
      likeness: 0,
    },
    doubt: 0.095,
    scale: { fits: 0.06, clear: 0.9 },
  },
  vectors: {
    right: {
      none: -5.52,
      words: 1.24,
      missing: -1.11,
      referenceWords: -0.34,
      meaning: 1.23,
      similarity: 9.06,
      referenceSimilarity: -5.06,
      likeness: 2.53,
    },
    most: 0.88,
    served: {
      none: -4.03,
      words: 1.53,
      missing: -2.51,
      referenceWords: -1.6,
      meaning: 1.12,
      similarity: 11.92,
      referenceSimilarity: -8.6,
      likeness: 4.67,
    },
    doubt: 0.1,
    scale: { fits: 0.07, clear: 0.85 },
  },
};

/** The smallest difference of scores. */
const STEP = 0.001;

/** How likely a first hit with these signs is right, from 0 to 1; below `scale.fits` if perhaps nothing fits. */
export function scoreOf(
  signs: ScoreSigns,
  { right, most, served, doubt, scale }: ScoreModel,
): number {
  const score = most * likelihoodOf(signs, right);
  return likelihoodOf(signs, served) < doubt
    ? Math.min(scale.fits - STEP, score)
    : Math.max(scale.fits, score);
}

/** What a regression says of these signs, from 0 to 1. */
export function likelihoodOf(signs: ScoreSigns, weights: ScoreWeights): number {
  const logOdds = SCORE_SIGNS.reduce(
    (sum, sign) => sum + weights[sign] * signs[sign],
    weights.none,
  );
  return 1 / (1 + Math.exp(-logOdds));
}

/** The best of each sign. Without any, nothing is answered. */
export function bestSigns(all: readonly ScoreSigns[]): ScoreSigns {
  const most = (sign: keyof ScoreSigns) => Math.max(0, ...all.map((signs) => signs[sign]));
  return {
    words: most('words'),
    missing: Math.min(1, ...all.map(({ missing }) => missing)),
    referenceWords: most('referenceWords'),
    meaning: most('meaning'),
    similarity: most('similarity'),
    referenceSimilarity: most('referenceSimilarity'),
    likeness: most('likeness'),
  };
}
