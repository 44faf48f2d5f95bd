import type { JsonObject } from '@toolfold/core/internal/tools/values';

/** The keys of a loader's result that a list of tools cannot express. */
const REMARK_KEYS = ['unknown', 'changed', 'schemas', 'not_searched', 'ignored_queries', 'next'];

/** The remarks in a loader's result that the form of the provider has no place for, as a text. */
export function remarksOf(result: JsonObject): string | undefined {
  const rest = Object.entries(result).filter(([key]) => REMARK_KEYS.includes(key));
  if (rest.length === 0) return;
  return `[Notice from the application, not from the user: about the tools just loaded: ${JSON.stringify(Object.fromEntries(rest))}]`;
}
