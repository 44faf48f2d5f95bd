/** A field's weight in the ranking, and the length in words that is neutral. */
export interface Field {
  readonly weight: number;
  readonly usualLength: number;
}

/** Saturation of repeated words. Chosen on development queries, together with LENGTH_EFFECT. */
const K1 = 1;
/** How much a longer field reduces the weight of its words: 0 not at all, 1 in full. */
const LENGTH_EFFECT = 0.5;

/**
 * Adds the words of a field to the term weights of a document, as in BM25F (Robertson, Zaragoza,
 * Taylor 2004). Lengths are compared with a fixed length and not with the mean of the index: the
 * weights then depend on the document alone.
 */
export function addField(
  weights: Map<string, number>,
  terms: readonly string[],
  { weight, usualLength }: Field,
): void {
  const each = weight / (1 - LENGTH_EFFECT + (LENGTH_EFFECT * terms.length) / usualLength);
  for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + each);
}

/** The weight of a term that `holders` of `total` documents contain; always above 0. */
export function rarity(holders: number, total: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
}

/** The sum of a term's field weights on a scale that limits the effect of repetition. */
export function saturate(weight: number): number {
  return (weight * (K1 + 1)) / (weight + K1);
}
