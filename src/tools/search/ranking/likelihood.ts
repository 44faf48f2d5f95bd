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
      none: -5.53,
      words: 1.25,
      missing: -1.08,
      referenceWords: -0.41,
      meaning: 1.26,
      similarity: 9.29,
      referenceSimilarity: -5.18,
      likeness: 2.1,
    },
    most: 0.88,
    served: {
      none: -4.87,
      words: 1.69,
      missing: -2.37,
      referenceWords: -1.81,
      meaning: 1.37,
      similarity: 11.82,
      referenceSimilarity: -8.35,
      likeness: 5.02,
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
