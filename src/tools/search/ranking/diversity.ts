import type { Ranked } from './ranked.ts';
import type { QueryStem } from './scorer.ts';

/** The number of first hits that are put in order. */
const REORDERED = 40;

/**
 * Puts the first hits in order one by one: words of the query that chosen hits contain count half for
 * the next ones. A query for several things thus finds tools for each. `diversity` is the share of a
 * score that depends on this. Hits by name stay in front.
 */
export function inDiverseOrder(
  ranked: readonly Ranked[],
  stems: readonly QueryStem[],
  holds: (document: number, stem: number) => boolean,
  diversity: number,
): readonly Ranked[] {
  if (diversity === 0 || stems.length < 2) return ranked;
  const left = stems.map(({ rarity }) => rarity);
  const open = ranked.slice(0, REORDERED).map((hit) => ({
    hit,
    held: [...stems.keys()].filter((i) => holds(hit.document, stems[i]?.stem ?? -1)),
  }));
  const chosen: Ranked[] = [];
  while (open.length > 0) {
    let next = 0;
    let most = -1;
    for (const [at, { hit, held }] of open.entries()) {
      if (hit.nameMatch !== open[0]?.hit.nameMatch) break;
      const value = hit.score * (1 - diversity * (1 - openShare(held, stems, left)));
      if (value <= most) continue;
      most = value;
      next = at;
    }
    for (const { hit, held } of open.splice(next, 1)) {
      chosen.push(hit);
      for (const i of held) left[i] = (left[i] ?? 0) / 2;
    }
  }
  return [...chosen, ...ranked.slice(REORDERED)];
}

/** The share of the rarity of held stems that is not yet covered. */
function openShare(
  held: readonly number[],
  stems: readonly QueryStem[],
  left: readonly number[],
): number {
  let all = 0;
  let open = 0;
  for (const i of held) {
    all += stems[i]?.rarity ?? 0;
    open += left[i] ?? 0;
  }
  return all === 0 ? 1 : open / all;
}
