/** A field's weight in the ranking, and the length in words that is neutral. */
export interface Field {
  readonly weight: number;
  readonly usualLength: number;
}

/** The numbers that the ranking depends on. */
export interface Weights {
  readonly name: Field;
  readonly group: Field;
  /** The first words of a description. They say what the tool is for. */
  readonly lead: Field;
  readonly rest: Field;
  readonly parameterNames: Field;
  readonly parameterTexts: Field;
  /** The number of words in `lead`. */
  readonly leadWords: number;
  /** How much a longer field reduces the weight of its words: 0 not at all, 1 in full. */
  readonly lengthEffect: number;
  /** Saturation of repeated words, the k1 of BM25. */
  readonly saturation: number;
  /** The share of exact words in a score. The rest is the share of their stems. */
  readonly exact: number;
  /** The share of the best clause in the score of a long query. */
  readonly clause: number;
  /** What another verb for the first word of a query counts in relation to that word itself. */
  readonly verbs: number;
  /** The share of similarity in meaning, in units of the best score. */
  readonly meaning: number;
}

/** Chosen on development queries: `npm run bench:search -- --tune`. */
export const WEIGHTS: Weights = {
  name: { weight: 3, usualLength: 3 },
  group: { weight: 4, usualLength: 1.5 },
  lead: { weight: 1, usualLength: 15 },
  rest: { weight: 0.5, usualLength: 15 },
  parameterNames: { weight: 0.8, usualLength: 4 },
  parameterTexts: { weight: 0.5, usualLength: 20 },
  leadWords: 20,
  lengthEffect: 0.5,
  saturation: 1,
  exact: 0.4,
  clause: 0.35,
  verbs: 0.2,
  meaning: 1.5,
};
