import { errorMessage, ToolfoldError } from '../errors.ts';
import type { ToolDocument, ToolSearch } from '../search/index.ts';
import type { ToolEntry } from '../tool/index.ts';
import { asSentence, getOrMake, isRecord, Recent } from '../values/index.ts';
import type { Registry } from './registry.ts';
import type { View } from './view.ts';

/** Views whose filters are kept. */
const MAX_KEPT = 16;

/** A tool that was found. */
export interface Hit {
  readonly entry: ToolEntry;
  readonly score: number;
  readonly relevance?: number;
  /** Tools with the same text. */
  readonly twins: readonly ToolEntry[];
  /** False if the search knows that no tool fits the query: this one is only near. */
  readonly fits: boolean;
  /** Whether scores can be compared between searches: the search has a scale. */
  readonly isComparable: boolean;
}

/** Searches the tools of a view without those of some names, best first. */
export interface Find {
  (query: string, limit: number, view: View, without: ReadonlySet<string>): readonly Hit[];
  /** What the search has to do before it searches for these queries. */
  prepare(queries: readonly string[]): Promise<void>;
  /** Whether the search reads only parts of a query. */
  isCut(query: string): boolean;
}

/** What a finder needs to know of a toolbox. */
export interface FinderSource {
  readonly registry: Registry;
  readonly version: number;
  /** What the search compares. The finder sets it. */
  compares: string | undefined;
  /** Tells the developer. */
  warn(text: string): void;
  visibleTo(view: View): (entry: ToolEntry) => boolean;
  /** The documents that are new or changed since the last call. */
  takeChangedDocuments(): ToolDocument[];
}

/** The most characters of a query that a search gets: half of them from its beginning, half from its end. */
const MOST_OF_QUERY = 20_000;

/** The option `search` of a layer. */
type GivenSearch = ToolSearch | (() => Promise<ToolSearch>) | undefined;

/** Creates a finder with the host's search or the built-in one. This file is loaded with the first search. */
export async function createFinder(source: FinderSource, given: GivenSearch): Promise<Find> {
  const search = await searchOf(given);
  source.compares = search.compares ?? 'not known';
  if (search.warning !== undefined) source.warn(search.warning);
  // A search remembers what a filter answered, so equal views share one filter as long as neither
  // the names nor the loaded tools change.
  let filters = new Recent<(name: string) => boolean>(MAX_KEPT);
  let filteredVersion = source.version;
  /** Documents that `index` has not taken yet. If it throws, the next search offers them again. */
  const waiting = new Map<string, ToolDocument>();
  const index = () => {
    for (const document of source.takeChangedDocuments()) waiting.set(document.key, document);
    if (waiting.size === 0) return;
    search.index([...waiting.values()]);
    waiting.clear();
  };
  const find = (whole: string, limit: number, view: View, without: ReadonlySet<string>) => {
    index();
    const query = bounded(whole);
    const { registry, version } = source;
    if (version !== filteredVersion) filters = new Recent(MAX_KEPT);
    filteredVersion = version;
    const isVisible = source.visibleTo(view);
    const found = (name: string) => {
      const entry = registry.get(name);
      return entry && !without.has(name) && isVisible(entry) ? entry : undefined;
    };
    const key = JSON.stringify([view.key, ...[...without].sort()]);
    const allows = getOrMake(filters, key, () => (name: string) => found(name) !== undefined);
    const hits = search.search(query, { limit, allows });
    const fits = (hits[0]?.score ?? 0) >= (search.scale?.fits ?? Number.NEGATIVE_INFINITY);
    const isComparable = search.scale !== undefined;
    // The filter may be that of another view with the same key: this view decides about each hit.
    return hits.flatMap(({ key, score, relevance, twins = [] }) => {
      const entry = found(key);
      if (!entry) return [];
      const near = twins.flatMap((twin) => found(twin) ?? []);
      const scored = relevance === undefined ? { score } : { score, relevance };
      return { entry, ...scored, fits, isComparable, twins: near };
    });
  };
  return Object.assign(find, {
    async prepare(queries: readonly string[]) {
      index();
      await search.prepare?.(queries.map(bounded));
    },
    isCut(whole: string) {
      return isShortened(whole) || (search.isCut?.(bounded(whole)) ?? false);
    },
  });
}

/** Whether `bounded` leaves out more than spaces. */
function isShortened(query: string): boolean {
  const leftOut = query.slice(MOST_OF_QUERY / 2 - 1, -MOST_OF_QUERY / 2);
  return query.length > MOST_OF_QUERY && leftOut.trim() !== '';
}

function bounded(query: string): string {
  if (query.length <= MOST_OF_QUERY) return query;
  return `${query.slice(0, MOST_OF_QUERY / 2 - 1)}\n${query.slice(-MOST_OF_QUERY / 2)}`;
}

async function searchOf(given: GivenSearch): Promise<ToolSearch> {
  if (typeof given !== 'function') return given ?? builtInSearch();
  let search: unknown;
  try {
    search = await given();
  } catch (error) {
    // A missing part of the package says so itself.
    if (error instanceof ToolfoldError && error.code === 'missing-dependency') throw error;
    throw notCreated(errorMessage(error), error);
  }
  if (isSearch(search)) return search;
  throw notCreated('The function returned something that is no search');
}

function isSearch(value: unknown): value is ToolSearch {
  return isRecord(value) && [value.index, value.search].every((one) => typeof one === 'function');
}

function notCreated(why: string, cause?: unknown): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The search of the option "search" could not be created: ${asSentence(why)}`,
    'Let its function return an object with the methods `index` and `search`. The next search calls it again.',
    cause,
  );
}

async function builtInSearch(): Promise<ToolSearch> {
  const { createLexicalSearch } = await import('../search.ts');
  return createLexicalSearch();
}
