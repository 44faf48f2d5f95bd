import { NearIndex } from './near-index.ts';

/**
 * The names that are nearest to a mistyped one, the best first, at most `limit`: names that
 * differ only in case and separators; then names that end with, start with or contain the
 * query's words, or are contained in it; then names a few typing errors away. Empty if no name
 * is near. Equally near names are sorted by code point.
 */
export function nearNames(query: string, names: Iterable<string>, limit: number): string[] {
  return new NearIndex(names).nearest(query, limit);
}
