import { plainLine } from '@toolfold/core/internal/tools/values';
import { APICallError } from 'ai';
import type { CacheTime } from './places.ts';

// What gateways and hosts write when they do not know a field, with the field that they name.
const REFUSING: readonly (number | undefined)[] = [400, 422];
const NAMES_MARK =
  /cache.?control|cache.?point|prompt.?cache|cache.?breakpoint|\bttl\b|\bephemeral\b/i;
const NAMES_TIME = /\bttl\b/i;

/** A refusal of marks or of a key. */
export interface CacheRefusal {
  readonly why: string;
  /** What may be tried instead: marks without `ttl`, or none. */
  readonly instead: '5m' | 'nothing';
}

/** Why an endpoint has refused what a request asks of the cache; undefined for other failures. */
export function cacheRefusalIn(error: unknown, time: CacheTime): CacheRefusal | undefined {
  if (!APICallError.isInstance(error) || !REFUSING.includes(error.statusCode)) return;
  const text = `${error.message} ${error.responseBody ?? ''}`;
  if (!NAMES_MARK.test(text)) return;
  return {
    why: `HTTP ${error.statusCode}: ${plainLine(error.message, 200)}`,
    instead: time === '1h' && NAMES_TIME.test(text) ? '5m' : 'nothing',
  };
}
