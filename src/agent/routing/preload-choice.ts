import { type Addressed, matchesTool } from '../../tools/access/index.ts';
import type { SearchHit } from '../../tools/search/index.ts';
import { byCodePoint } from '../../tools/values/index.ts';
import type { Category } from './categories.ts';

/** The tools of one matched category that the run may see, by canonical name. */
export interface MatchedCategory {
  readonly category: string;
  readonly tools: readonly string[];
}

/** What one turn may put at its tail. */
export interface PreloadLimit {
  readonly schemas: number;
  readonly tokens: number;
}

/**
 * When a hit is clear, in scores of the built-in search (below 1 for words, from 1 on for names);
 * another search must score on the same scale.
 */
export interface ClearHit {
  /** Odds, `score / (1 - score)`, over those of the first hit that would be left out. */
  readonly margin: number;
  /** The least score of a tool that a matched category speaks for. */
  readonly confirmed: number;
  /** The least score of any other: small talk shares a word with some tool, too. */
  readonly alone: number;
}

/** What a choice is made from. */
export interface PreloadOptions {
  readonly matched: readonly MatchedCategory[];
  /** What the turn's text finds, best first: one more than `limit.schemas`, so that some is left out. */
  readonly hits: readonly SearchHit[];
  readonly limit?: PreloadLimit;
  readonly clear?: ClearHit;
  /** Canonical names whose schemas the transcript or the request holds. */
  readonly already: ReadonlySet<string>;
  /** Tokens of a tool's schema; `undefined` where it is not known without loading. */
  readonly tokensOf: (name: string) => number | undefined;
}

/** What a turn may hand over unless told otherwise. */
export const PRELOAD_LIMIT: PreloadLimit = { schemas: 3, tokens: 1_500 };

/** Where more margin costs more right schemas than wrong ones; `bench/preload.ts` prints the curve. */
export const CLEAR_HIT: ClearHit = { margin: 1.5, confirmed: 0.8, alone: 0.9 };

/** Of a matched category this small, a hit needs no lead over others. */
const SMALL_CATEGORY = 3;

/** The tools of each category among those of a view, sorted by code point. */
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
 * Which schemas to hand over unasked, best first: clear hits in matched categories, other clear
 * hits, then any hits in a matched category of at most three tools. What does not fit is passed
 * over. A category alone chooses nothing: `bench/preload.ts` prints how seldom it is right.
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

/** By name only over hits of a lesser kind: of ten tools of one name none is clear. */
function standsOut(score: number, leftOut: number, margin: number): boolean {
  if (score >= 1) return Math.floor(score) > Math.floor(leftOut);
  return score / (1 - score) >= (margin * leftOut) / (1 - leftOut);
}
