import type { Ranked } from './ranking.ts';

/** The number of first hits that are put in order. */
const REORDERED = 40;

/**
 * Puts the first hits in order one by one: words of the query that chosen hits contain count half for
 * the next ones. A query for several things thus finds tools for each. `diversity` is the share of a
 * score that depends on this. Hits by name stay in front.
 */
export function chooseDiverse(
  ranked: readonly Ranked[],
  rarities: readonly number[],
  diversity: number,
): readonly Ranked[] {
  if (diversity === 0) return ranked;
  const open = ranked.slice(0, REORDERED);
  const left = [...rarities];
  const chosen: Ranked[] = [];
  while (open.length > 0) {
    const values = open.map(
      ({ score, held }) => score * (1 - diversity * (1 - openShare(held, rarities, left))),
    );
    let next = 0;
    for (const [at, value] of values.entries()) {
      if (open[at]?.nameMatch !== open[0]?.nameMatch) break;
      if (value > (values[next] ?? 0)) next = at;
    }
    const hits = open.splice(next, 1);
    chosen.push(...hits);
    for (const { held } of hits)
      for (let bit = 0; bit < left.length; bit++)
        if ((held >>> bit) & 1) left[bit] = (left[bit] ?? 0) / 2;
  }
  return [...chosen, ...ranked.slice(REORDERED)];
}

/** The share of the rarity of held stems that is not yet covered. */
function openShare(held: number, rarities: readonly number[], left: readonly number[]): number {
  let all = 0;
  let open = 0;
  for (let bit = 0; bit < rarities.length; bit++) {
    if (((held >>> bit) & 1) === 0) continue;
    all += rarities[bit] ?? 0;
    open += left[bit] ?? 0;
  }
  return all === 0 ? 1 : open / all;
}
