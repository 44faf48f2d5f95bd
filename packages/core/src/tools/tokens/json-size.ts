import type { TokenCounter } from '../tool/index.ts';

/** The most characters of JSON that any tokenizer packs into one token. */
const CHARACTERS_PER_TOKEN = 24;

/** The most characters of a text with so many tokens. */
export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}

/** For values that cannot change: a limit that they exceed. */
const exceeded = new WeakMap<object, number>();

/**
 * The tokens of a value as JSON, exact up to `limit`. More than the limit is `Infinity`, and
 * then not all of it is written or counted.
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

/** The characters that are left after the value is written as JSON; below 0 if it does not fit. */
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
