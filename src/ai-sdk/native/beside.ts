import type { JsonObject } from '../../tools/values/index.ts';

/** What a result says that a list of tools does not: the rest is known from the list. */
const WORTH_SAYING = ['unknown', 'changed', 'schemas', 'not_searched', 'ignored_queries', 'next'];

/** The part of a loader's result that its provider's own form has no place for, as a text. */
export function saidBeside(result: JsonObject): string | undefined {
  const rest = Object.entries(result).filter(([key]) => WORTH_SAYING.includes(key));
  if (rest.length === 0) return;
  return `[Notice from the application, not from the user: about the tools just loaded: ${JSON.stringify(Object.fromEntries(rest))}]`;
}
