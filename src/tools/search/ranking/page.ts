import type { Ranked } from './ranked.ts';

/** Hits that one group may have on a page in which others are left out, as a share of the page. */
const GROUP_SHARE = 0.6;
/** A hit of another group takes a place only with this share of the score of the hit that it replaces. */
const MIN_SCORE = 0.6;

/** A hit with the twins that it stands for. */
export interface PageHit {
  readonly ranked: Ranked;
  readonly twins: readonly string[];
}

/**
 * The first `limit` hits. Documents with the same name and text in several groups are one hit. One group
 * does not fill the page while good hits of others are left out, unless the query names the group; nor do
 * tools that differ in their names alone.
 */
export function firstPage(
  ranked: readonly Ranked[],
  limit: number,
  isNamed: (hit: Ranked) => boolean,
): readonly PageHit[] {
  const folded = foldTwins(ranked);
  const most = Math.max(1, Math.ceil(limit * GROUP_SHARE));
  const counts = new Map<string, number>();
  const texts = new Set<number>();
  const page: PageHit[] = [];
  const waiting: PageHit[] = [];
  for (const hit of folded) {
    if (page.length >= limit) break;
    const before = waiting[0];
    if (before !== undefined && hit.ranked.score < MIN_SCORE * before.ranked.score) break;
    const { group, text } = hit.ranked.tool;
    const count = counts.get(group) ?? 0;
    const isFull = group !== '' && count >= most && !isNamed(hit.ranked);
    if (isFull || texts.has(text)) {
      waiting.push(hit);
      continue;
    }
    counts.set(group, count + 1);
    if (text !== 0) texts.add(text);
    page.push(hit);
  }
  const taken = new Set(page);
  const rest = folded.filter((hit) => !taken.has(hit));
  return [...page, ...rest].slice(0, limit);
}

function foldTwins(ranked: readonly Ranked[]): PageHit[] {
  const byContent = new Map<number, { ranked: Ranked; twins: string[] }>();
  for (const one of ranked) {
    const { content, key } = one.tool;
    const first = byContent.get(content);
    if (first === undefined) byContent.set(content, { ranked: one, twins: [] });
    else first.twins.push(key);
  }
  return [...byContent.values()];
}
