import type { Category } from '../../config/index.ts';
import { type Addressed, matchesTool } from '../../tools/access/index.ts';
import type { SearchHit } from '../../tools/search/index.ts';
import { byCodePoint } from '../../tools/values/index.ts';

/** The tools of one matched category that the run may see, by canonical name. */
export interface MatchedCategory {
  readonly category: string;
  readonly tools: readonly string[];
}

/** Limits of the schemas that one turn may preload. */
export interface PreloadLimit {
  readonly schemas: number;
  readonly tokens: number;
}

/**
 * When a search hit is clear. Scores are those of the built-in search: below 1 for words, 1 and above
 * for names. Another search must use the same scale.
 */
export interface ClearHit {
  /** Minimum ratio of the odds, `score / (1 - score)`, to those of the first hit that is left out. */
  readonly margin: number;
  /** Minimum score of a tool in a matched category. */
  readonly confirmed: number;
  /** Minimum score of any other tool. Small talk also shares words with tools. */
  readonly alone: number;
}

/** Input of a preload choice. */
export interface PreloadOptions {
  readonly matched: readonly MatchedCategory[];
  /** Search hits for the turn's text, best first. One more than `limit.schemas`, for comparison. */
  readonly hits: readonly SearchHit[];
  readonly limit?: PreloadLimit;
  readonly clear?: ClearHit;
  /** Canonical names whose schemas are already in the transcript or the request. */
  readonly already: ReadonlySet<string>;
  /** Tokens of a tool's schema; `undefined` if the schema is not loaded. */
  readonly tokensOf: (name: string) => number | undefined;
}

/** Default limits of a turn. */
export const PRELOAD_LIMIT: PreloadLimit = { schemas: 3, tokens: 1_500 };

/** A larger margin would lose more correct schemas than wrong ones. `bench/preload.ts` prints the curve. */
export const CLEAR_HIT: ClearHit = { margin: 1.5, confirmed: 0.8, alone: 0.9 };

/** In a matched category of at most this size, a hit needs no margin over others. */
const SMALL_CATEGORY = 3;

/** For each category, its tools within the view, sorted by code point. */
export function matchedCategories(
  categories: readonly Category[],
  view: readonly Addressed[],
): readonly MatchedCategory[] {
  return categories.map(({ name, tools }) => ({
    category: name,
    tools: view
      .filter((tool) => tools.some((glob) => matchesTool(glob, tool)))
      .map((tool) => tool.name)
      .sort(byCodePoint),
  }));
}

/**
 * Chooses schemas to preload, best first: clear hits in matched categories, other clear hits, then any
 * hits in a matched category of at most three tools. Skips schemas that do not fit. A category without
 * a hit chooses nothing: `bench/preload.ts` prints how seldom it would be right.
 */
export function choosePreload(options: PreloadOptions): readonly string[] {
  const { matched, hits, already, tokensOf } = options;
  const { limit = PRELOAD_LIMIT, clear = CLEAR_HIT } = options;
  const inCategory = new Set(matched.flatMap(({ tools }) => tools));
  const inSmall = new Set(
    matched.filter(({ tools }) => tools.length <= SMALL_CATEGORY).flatMap(({ tools }) => tools),
  );
  const leftOut = hits[limit.schemas]?.score ?? 0;
  const isClear = ({ key, score }: SearchHit): boolean =>
    score >= (inCategory.has(key) ? clear.confirmed : clear.alone) &&
    standsOut(score, leftOut, clear.margin);
  const clearHits = hits.slice(0, limit.schemas).filter(isClear);
  const wanted = new Set(
    [
      ...clearHits.filter(({ key }) => inCategory.has(key)),
      ...clearHits,
      ...hits.filter(({ key }) => inSmall.has(key)),
    ].map(({ key }) => key),
  );

  const chosen: string[] = [];
  let left = limit.tokens;
  for (const name of wanted) {
    if (chosen.length >= limit.schemas) break;
    const tokens = already.has(name) ? undefined : tokensOf(name);
    if (tokens === undefined || tokens > left) continue;
    chosen.push(name);
    left -= tokens;
  }
  return chosen;
}

/** A name match stands out only from weaker kinds of matches: of ten tools with one name, none is clear. */
function standsOut(score: number, leftOut: number, margin: number): boolean {
  if (score >= 1) return Math.floor(score) > Math.floor(leftOut);
  return score / (1 - score) >= (margin * leftOut) / (1 - leftOut);
}
