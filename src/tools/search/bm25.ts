/** A field's share in the ranking, and the length in words at which it counts neither more nor less. */
export interface Field {
  readonly weight: number;
  readonly usualLength: number;
}

/** Saturation of repeated words; chosen on development queries with LENGTH_EFFECT. */
const K1 = 1;
/** How much a field longer than usual thins its words out: 0 not at all, 1 in full. */
const LENGTH_EFFECT = 0.5;

/**
 * Adds a field's words to a document's term weights, as BM25F does (Robertson, Zaragoza, Taylor
 * 2004). Lengths are compared with a fixed one, not the mean of the index: a document's weights
 * then depend on nothing but the document.
 */
export function addField(
  weights: Map<string, number>,
  terms: readonly string[],
  { weight, usualLength }: Field,
): void {
  const each = weight / (1 - LENGTH_EFFECT + (LENGTH_EFFECT * terms.length) / usualLength);
  for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + each);
}

/** What a term found in `holders` of `total` documents is worth; always above 0. */
export function rarity(holders: number, total: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
}

/** A term's summed field weights on a scale that a repetition cannot run away with. */
export function saturate(weight: number): number {
  return (weight * (K1 + 1)) / (weight + K1);
}
