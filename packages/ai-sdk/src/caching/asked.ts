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
interface PartTokens {
  readonly tools: readonly { readonly tokens: number }[];
  readonly messages: readonly (readonly number[])[];
}

/** The plan of a request for its host. */
export function askedOf(plan: CachePlan, { tools, messages }: PartTokens): CacheAsked {
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
