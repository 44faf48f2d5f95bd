import type { Ranked } from './ranked.ts';

/** A hit takes the place of one with a text that is there already only with this share of its score. */
const MIN_SCORE = 0.6;

/** A hit with the twins that it stands for. */
export interface PageHit {
  readonly ranked: Ranked;
  readonly twins: readonly string[];
}

/**
 * The first `limit` hits. Documents with the same name and text in several groups are one hit. Tools that
 * differ in their names alone do not fill the page while good hits are left out.
 */
export function firstPage(ranked: readonly Ranked[], limit: number): readonly PageHit[] {
  const texts = new Set<number>();
  const page: PageHit[] = [];
  const waiting: PageHit[] = [];
  for (const hit of foldTwins(ranked)) {
    const { text } = hit.ranked.tool;
    const isKnown = texts.has(text);
    const { score } = waiting[0]?.ranked ?? { score: 0 };
    if (isKnown || hit.ranked.score < MIN_SCORE * score) waiting.push(hit);
    else page.push(hit);
    if (text !== 0) texts.add(text);
  }
  return [...page, ...waiting].slice(0, limit);
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
