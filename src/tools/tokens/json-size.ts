import type { TokenCounter } from '../tool/index.ts';

/** No tokenizer packs JSON denser than so many characters to a token. */
const CHARACTERS_PER_TOKEN = 24;

/** Characters that a text of so many tokens has at most. */
export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}

/** Of values that cannot change: a limit that they are known to exceed. */
const exceeded = new WeakMap<object, number>();

/**
 * Tokens of a value as JSON, exact up to `limit`; more than the limit is `Infinity`, without writing
 * or counting all of it.
 */
export function tokensWithin(value: object, limit: number, countTokens: TokenCounter): number {
  if ((exceeded.get(value) ?? -1) >= limit) return Infinity;
  if (roomAfter(value, charactersOf(limit)) < 0) {
    if (Object.isFrozen(value)) exceeded.set(value, limit);
    return Infinity;
  }
  const tokens = countTokens(JSON.stringify(value));
  return tokens <= limit ? tokens : Infinity;
}

/** What is left of a room for characters once the value is in it as JSON; below 0, it does not fit. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 1;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) break;
      left = roomAfter(item, left - 1);
    }
    return left;
  }
  for (const key of Object.keys(value)) {
    if (left < 0) break;
    left = roomAfter((value as Record<string, unknown>)[key], left - key.length - 4);
  }
  return left;
}
