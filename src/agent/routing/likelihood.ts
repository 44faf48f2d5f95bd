/** What is known about a tool that a search has found for a text or for one of its clauses. */
export interface Signs {
  /** The score for the whole text, from 0 to 1; 0 if only a clause found the tool. */
  readonly score: number;
  /** By how much the tool leads the second hit, or is behind the first one (then below 0). The best clause counts. */
  readonly lead: number;
  /** By how much the score is above that of the fourth hit. The best clause counts. */
  readonly gap: number;
  /** 1 if the tool is the first hit of the text or of a clause, else 0. */
  readonly first: number;
  /** The share of the words of the tool's name that the clause contains, from 0 to 1. */
  readonly named: number;
  /** The logarithm of 1 + the number of distinct words in the clause. Few words may match by chance. */
  readonly length: number;
  /** 1 if the tool belongs to a category whose words the turn contains, else 0. */
  readonly category: number;
}

/** The weight of each sign in the logarithm of the odds, and the logarithm where there is no sign. */
export type SignWeights = Readonly<Record<keyof Signs | 'none', number>>;

/** A logistic regression over development queries: `npm run bench:preload -- --dev` prints it. */
export const SIGN_WEIGHTS: SignWeights = {
  none: -5.5,
  score: 2,
  lead: 2.2,
  gap: 1.6,
  first: 0.9,
  named: 1.9,
  length: 0.5,
  category: 1,
};

/** The names of all signs. */
export const SIGNS: readonly (keyof Signs)[] = [
  'score',
  'lead',
  'gap',
  'first',
  'named',
  'length',
  'category',
];

/** How likely the tool is one that the turn needs, from 0 to 1. */
export function likelihoodOf(signs: Signs, weights: SignWeights = SIGN_WEIGHTS): number {
  const logOdds = SIGNS.reduce((sum, sign) => sum + weights[sign] * signs[sign], weights.none);
  return 1 / (1 + Math.exp(-logOdds));
}
