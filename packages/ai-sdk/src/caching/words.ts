import type { CacheMarks, ModelCaching } from '@toolfold/core/internal/models';
import { formatNumber } from '@toolfold/core/internal/values';
import type { CachePlan, NotAsked } from './marks.ts';

/** What a request asks of the provider's prompt cache. */
export interface CacheAsked {
  /** The tokens of the request up to each of its marks. */
  readonly marks: readonly number[];
  /** How long the provider is asked to keep the first part, if it takes marks. */
  readonly ttl?: '5m' | '1h';
  /** The `promptCacheKey`. */
  readonly key?: string;
  /** Why nothing is asked. */
  readonly not?: NotAsked;
}

/** The tokens of a request by its parts, in the order of the cache. */
interface PrefixTokens {
  readonly tools: readonly { readonly tokens: number }[];
  readonly messages: readonly (readonly number[])[];
}

/** The plan of a request for its host. */
export function askedOf(plan: CachePlan, { tools, messages }: PrefixTokens): CacheAsked {
  if (typeof plan === 'string') return { marks: [], not: plan };
  const { places, key } = plan;
  const ofTools = tools.map(({ tokens }) => tokens);
  const upTo = (counts: readonly number[], index: number) => sum(counts.slice(0, index + 1));
  const counts = messages.map((parts) => sum(parts));
  const marks = places.map((place) =>
    place.in === 'tools' ? upTo(ofTools, place.index) : sum(ofTools) + upTo(counts, place.index),
  );
  const [first] = places;
  return {
    marks,
    ...(first && plan.caching.marks?.places === 'all' ? { ttl: first.time } : {}),
    ...(key === undefined ? {} : { key }),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

/** The endpoint has refused marks. */
export function refusedText(model: string, why: string, instead: '5m' | 'nothing'): string {
  const since =
    instead === '5m'
      ? 'The request was sent again with marks for five minutes, and so are the next ones.'
      : 'The request was sent again without, and the next ones ask for no cache.';
  return `${model} refused the marks of the prompt cache: ${why}. ${since} To avoid the refused request, set \`cache\` to ${instead === '5m' ? '{ ttl: "5m" }' : 'false'} for this model.`;
}

/** Marks of the app stand on tools that are not declared. */
export function movedText(names: readonly string[]): string {
  const which = names
    .slice(0, 3)
    .map((name) => JSON.stringify(name))
    .join(', ');
  return `The app has marked ${which} for the prompt cache, which is not declared in this request (deferred, or left out), so the mark moves to the last declared tool. What stands up to there may be too short to be cached. Remove the mark, so that Toolfold asks for the cache; or set it on the system message; or keep the tool declared with \`deferLoading: false\`.`;
}

/** The provider was asked for its cache, and reads nothing. */
export function unreadText(model: string, requests: number): string {
  return `${model} was asked for its prompt cache and has read nothing in ${requests} requests that continue a conversation. Likely reasons: a proxy before the provider drops the marks; each request begins with other bytes, such as a time in the system text (\`toolfold audit\` says where); more than five minutes pass between requests; the endpoint does not report what it reads.`;
}

const NAMES_IT = 'names its conversation to the prompt cache';

const NOT: Readonly<Record<NotAsked, string>> = {
  off: 'asks for no prompt cache: `cache` or the strategy is false',
  'set by the app': 'has the options of the app for the prompt cache, and none of Toolfold',
  'no tools': 'asks for no prompt cache, because it has no tools of the fold',
  'unknown provider': 'asks for no prompt cache: it is not known how this provider is asked',
  automatic: 'asks for nothing: this provider caches by itself',
  refused: 'asks for no prompt cache, because the endpoint has refused the marks',
};

/** Why a request asks nothing, as the end of a sentence about it. */
export function notWords(not: NotAsked): string {
  return NOT[not];
}

/** What requests with tools will ask. */
export function expectWords(
  { marks, takesKey }: ModelCaching,
  { ttl, hasKey, isHourRefused }: Expected,
): string {
  const parts = [
    ...(marks?.places === 'all'
      ? [
          `asks for the prompt cache by marks for ${timeWords(marks, { ttl, isHourRefused })}, because this provider caches only if it is asked`,
        ]
      : []),
    ...(marks?.places === 'frozen' ? ['marks the end of what all its conversations share'] : []),
    ...(takesKey && hasKey ? [NAMES_IT] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : NOT.automatic;
}

interface Expected {
  readonly ttl: '5m' | '1h';
  readonly hasKey: boolean;
  readonly isHourRefused: boolean;
}

function timeWords({ hour }: CacheMarks, { ttl, isHourRefused }: Omit<Expected, 'hasKey'>): string {
  if (ttl === '5m') return 'five minutes';
  if (!hour) return 'five minutes (an hour cannot be asked for here)';
  return isHourRefused
    ? 'five minutes (the endpoint has refused an hour)'
    : 'an hour where it pays, and for five minutes elsewhere';
}

/** What a request asks of the prompt cache, as the end of a sentence about it. */
export function cacheWords({ marks, ttl, key, not }: CacheAsked): string {
  if (not !== undefined) return NOT[not];
  const at = marks.map((tokens) => formatNumber(tokens)).join(', ');
  const hour = ttl === '1h' ? ', for an hour where it pays' : '';
  const parts = [
    ...(marks.length > 0 ? [`asks for the prompt cache after ${at} tokens${hour}`] : []),
    ...(key === undefined ? [] : [NAMES_IT]),
  ];
  return parts.join(' and ');
}

/** What a provider says of its cache. */
export function cacheUseWords({ cacheRead, cacheWrite }: CacheUse): string {
  return `read ${formatNumber(cacheRead)}, wrote ${formatNumber(cacheWrite)}`;
}

/** The tokens that a provider has read from its cache, and written to it. */
interface CacheUse {
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
