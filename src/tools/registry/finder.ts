import type { ToolDocument, ToolSearch } from '../search/index.ts';
import type { Entry } from '../tool/index.ts';
import type { Registry } from './registry.ts';
import { SearchFilters } from './search-filters.ts';
import type { View } from './view.ts';

/** A tool that was found. */
export interface Hit {
  readonly entry: Entry;
  readonly score: number;
  readonly relevance?: number;
  /** Tools with the same text. */
  readonly twins: readonly Entry[];
  /** False if the search knows that no tool fits the query: this one is only near. */
  readonly fits: boolean;
  /** Whether scores can be compared between searches: the search has a scale. */
  readonly isComparable: boolean;
}

/** Searches the tools of a view without those of some names, best first. */
export type Find = (
  query: string,
  limit: number,
  view: View,
  without: ReadonlySet<string>,
) => readonly Hit[];

/** What a finder needs to know of a toolbox. */
export interface FinderSource {
  readonly registry: Registry;
  readonly version: number;
  visibleTo(view: View): (entry: Entry) => boolean;
  /** The documents that are new or changed since the last call. */
  takeChangedDocuments(): ToolDocument[];
}

/** Searches the tools of a toolbox. */
export interface Finder {
  readonly find: Find;
}

/** Creates a finder with the host's search or the built-in one. This file is loaded with the first search. */
export async function createFinder(
  source: FinderSource,
  given: ToolSearch | (() => Promise<ToolSearch>) | undefined,
): Promise<Finder> {
  const search = await (typeof given === 'function' ? given() : (given ?? builtInSearch()));
  const filters = new SearchFilters();
  return {
    find(query, limit, view, without) {
      const documents = source.takeChangedDocuments();
      if (documents.length > 0) search.index(documents);
      const { registry, version } = source;
      const isVisible = source.visibleTo(view);
      const allows = filters.of(view, without, version, registry, isVisible);
      // The filter may be that of another view with the same key: this view decides about each hit.
      const seen = (name: string) => {
        const entry = registry.get(name);
        return entry && !without.has(name) && isVisible(entry) ? [entry] : [];
      };
      const hits = search.search(query, { limit, allows });
      const fits = (hits[0]?.score ?? 0) >= (search.scale?.fits ?? Number.NEGATIVE_INFINITY);
      const isComparable = search.scale !== undefined;
      return hits.flatMap(({ key, score, relevance, twins = [] }) =>
        seen(key).map((entry) => ({
          ...{ entry, score, fits, isComparable },
          ...(relevance === undefined ? {} : { relevance }),
          twins: twins.flatMap(seen),
        })),
      );
    },
  };
}

async function builtInSearch(): Promise<ToolSearch> {
  const { createLexicalSearch } = await import('../search/index.ts');
  return createLexicalSearch();
}
