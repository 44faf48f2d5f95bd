import type { ScoreScale, ScoreSigns } from '../contract/index.ts';

/** The weight of each sign in the logarithm of the odds, and the logarithm where there is no sign. */
export type ScoreWeights = Readonly<Record<keyof ScoreSigns | 'none', number>>;

/** How signs become a score, and how scores are read. */
export interface ScoreModel {
  readonly weights: ScoreWeights;
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
];

/**
 * Logistic regressions: how likely the first hit is right, over development queries of public sets and the
 * even lines of bench/search/data, served and not. `npm run bench:search -- --fit` prints them.
 */
export const SCORES: Readonly<Record<'words' | 'vectors', ScoreModel>> = {
  words: {
    weights: {
      none: -2.19,
      words: 5.61,
      missing: -1.72,
      referenceWords: -1.87,
      meaning: 0,
      similarity: 0,
      referenceSimilarity: 0,
    },
    scale: { fits: 0.06, clear: 0.9 },
  },
  vectors: {
    weights: {
      none: -5.01,
      words: 0.92,
      missing: -1.0,
      referenceWords: -0.42,
      meaning: 0.91,
      similarity: 9.9,
      referenceSimilarity: -3.4,
    },
    scale: { fits: 0.07, clear: 0.95 },
  },
};

/** How likely a first hit with these signs is right, from 0 to 1. */
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
  };
}
