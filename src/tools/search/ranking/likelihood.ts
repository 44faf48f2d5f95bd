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
 * Logistic regressions over the even lines of bench/search/data/served.jsonl and plain.jsonl, and the
 * scales that go with them. `npm run bench:search -- --fit` prints them.
 */
export const SCORES: Readonly<Record<'words' | 'vectors', ScoreModel>> = {
  words: {
    weights: {
      none: -0.6,
      words: 7.9,
      missing: -1.23,
      referenceWords: -4.06,
      meaning: 0,
      similarity: 0,
      referenceSimilarity: 0,
    },
    scale: { fits: 0.23, clear: 0.99 },
  },
  vectors: {
    weights: {
      none: 0.19,
      words: 0.99,
      missing: -1.13,
      referenceWords: -2.25,
      meaning: 7.51,
      similarity: 4.4,
      referenceSimilarity: -10.18,
    },
    scale: { fits: 0.22, clear: 0.94 },
  },
};

/** How likely a tool with these signs serves the query, from 0 to 1. */
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
