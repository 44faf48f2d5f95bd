import type { View } from '../access/index.ts';
import type { ToolSearch } from '../search/index.ts';
import type { Entry } from '../tool/index.ts';
import type { Registry } from './registry.ts';

/** A tool that was found. */
export interface Hit {
  readonly entry: Entry;
  readonly score: number;
  /** Tools with the same text. */
  readonly twins: readonly Entry[];
  /** False if the search knows that no tool fits the query: this one is only near. */
  readonly fits: boolean;
}

/** Searches the tools of a view without those of some names, best first. */
export type Find = (
  query: string,
  limit: number,
  view: View,
  without: ReadonlySet<string>,
) => readonly Hit[];

/** Searches and returns the entries of the hits. */
export function hitsOf(
  search: ToolSearch,
  registry: Registry,
  query: string,
  limit: number,
  allows: (name: string) => boolean,
): Hit[] {
  const hits = search.search(query, { limit, allows });
  const fits = (hits[0]?.score ?? 0) >= (search.scale?.fits ?? Number.NEGATIVE_INFINITY);
  return hits.flatMap(({ key, score, twins = [] }) => {
    const entry = registry.get(key);
    const others = twins.flatMap((twin) => registry.get(twin) ?? []);
    return entry ? [{ entry, score, twins: others, fits }] : [];
  });
}
