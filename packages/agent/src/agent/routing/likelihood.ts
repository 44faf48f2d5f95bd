/** What is known about a tool that a search has found for a text or for one of its clauses. */
export interface Signs {
  /** The score for the whole text, from 0 to 1; 0 if only a clause found the tool. */
  readonly score: number;
  /**
   * By how much the ranking rates the tool above the second hit, or below the first one (then below 0), as a
   * share of the first. The best clause counts.
   */
  readonly lead: number;
  /** The same above the fourth hit. The best clause counts. */
  readonly gap: number;
  /** 1 if the tool is the first hit of the text or of a clause, else 0. */
  readonly first: number;
  /** The share of the words of the tool's name that the clause contains, from 0 to 1. */
  readonly named: number;
  /** The logarithm of 1 + the number of distinct words in the clause. Few words may match by chance. */
  readonly length: number;
  /** 1 if the tool belongs to a category whose words the turn contains, or to a server that it names, else 0. */
  readonly category: number;
}

/** The weight of each sign in the logarithm of the odds, and the logarithm where there is no sign. */
export type SignWeights = Readonly<Record<keyof Signs | 'none', number>>;

/** A logistic regression over development queries: `npm run bench:preload -- --dev` prints it. */
export const SIGN_WEIGHTS: SignWeights = {
  none: -5.6,
  score: 1.4,
  lead: 1.5,
  gap: 1.7,
  first: 0.5,
  named: 1.8,
  length: 0.6,
  category: 1.4,
};

/** The names of all signs. */
export const SIGNS: readonly (keyof Signs)[] = Object.keys(SIGN_WEIGHTS).filter(
  (name) => name !== 'none',
) as (keyof Signs)[];

/** How likely the tool is one that the turn needs, from 0 to 1. */
export function likelihoodOf(signs: Signs, weights: SignWeights = SIGN_WEIGHTS): number {
  const logOdds = SIGNS.reduce((sum, sign) => sum + weights[sign] * signs[sign], weights.none);
  return 1 / (1 + Math.exp(-logOdds));
}
