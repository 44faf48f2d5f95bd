import type { ScoreScale, ScoreSigns } from '../contract/index.ts';

/** The weight of each sign in the logarithm of the odds, and the logarithm where there is no sign. */
export type ScoreWeights = Readonly<Record<keyof ScoreSigns | 'none', number>>;

/** How signs become a score, and how scores are read. */
export interface ScoreModel {
  readonly weights: ScoreWeights;
  readonly scale: ScoreScale;
}

export const SIGNS: readonly (keyof ScoreSigns)[] = [
  'words',
  'missing',
  'wordsElsewhere',
  'meaning',
  'similarity',
  'similarityElsewhere',
];

/**
 * Logistic regressions over the even lines of bench/search/data/served.jsonl and plain.jsonl, and the
 * scales that go with them. `npm run bench:search -- --fit` prints them.
 */
export const SCORES: Readonly<Record<'words' | 'vectors', ScoreModel>> = {
  words: {
    weights: {
      none: 0.04,
      words: 8.21,
      missing: -1.13,
      wordsElsewhere: -4.98,
      meaning: 0,
      similarity: 0,
      similarityElsewhere: 0,
    },
    scale: { fits: 0.26, clear: 0.97 },
  },
  vectors: {
    weights: {
      none: 0.6,
      words: 1.45,
      missing: -0.89,
      wordsElsewhere: -3.34,
      meaning: 8.17,
      similarity: 3.8,
      similarityElsewhere: -9.22,
    },
    scale: { fits: 0.24, clear: 0.94 },
  },
};

/** How likely a tool with these signs serves the query, from 0 to 1. */
export function likelihoodOf(signs: ScoreSigns, weights: ScoreWeights): number {
  const logOdds = SIGNS.reduce((sum, sign) => sum + weights[sign] * signs[sign], weights.none);
  return 1 / (1 + Math.exp(-logOdds));
}

/** The best of each sign. Without any, nothing is answered. */
export function bestOf(all: readonly ScoreSigns[]): ScoreSigns {
  const most = (sign: keyof ScoreSigns) => Math.max(0, ...all.map((signs) => signs[sign]));
  return {
    words: most('words'),
    missing: Math.min(1, ...all.map(({ missing }) => missing)),
    wordsElsewhere: most('wordsElsewhere'),
    meaning: most('meaning'),
    similarity: most('similarity'),
    similarityElsewhere: most('similarityElsewhere'),
  };
}
