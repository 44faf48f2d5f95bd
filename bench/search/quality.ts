import type { Query } from './data.ts';

/** How many hits of a query are looked at. */
export const DEPTH = 10;

/** Measures of one query, each from 0 to 1. */
export interface Quality {
  /** Shares of the needs that the first 1, 3, 5 and 10 hits meet. */
  readonly r1: number;
  readonly r3: number;
  readonly r5: number;
  readonly r10: number;
  /** 1 divided by the rank of the first hit that meets a need. */
  readonly mrr: number;
  /** Each need counts once, at the first hit that meets it. */
  readonly ndcg: number;
  /** 1 if the first 10 hits meet all needs. */
  readonly all10: number;
}

export const MEASURES: readonly (keyof Quality)[] = [
  'r1',
  'r3',
  'r5',
  'r10',
  'mrr',
  'ndcg',
  'all10',
];

/** Compares the ranked tools with the needs of the query. */
export function qualityOf(ranked: readonly string[], { needs }: Pick<Query, 'needs'>): Quality {
  const open = new Set(needs);
  const ranks: number[] = [];
  for (const [rank, key] of ranked.slice(0, DEPTH).entries()) {
    const met = [...open].find((need) => need.has(key));
    if (met === undefined) continue;
    open.delete(met);
    ranks.push(rank);
  }
  const within = (depth: number) => ranks.filter((rank) => rank < depth).length / needs.length;
  const [first] = ranks;
  const ideal = Array.from({ length: Math.min(DEPTH, needs.length) }, (_, rank) => rank);
  return {
    r1: within(1),
    r3: within(3),
    r5: within(5),
    r10: within(DEPTH),
    mrr: first === undefined ? 0 : 1 / (first + 1),
    ndcg: gain(ranks) / gain(ideal),
    all10: open.size === 0 ? 1 : 0,
  };
}

function gain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0);
}
