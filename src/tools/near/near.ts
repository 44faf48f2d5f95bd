import { NearIndex } from './near-index.ts';

/**
 * The names nearest to a mistaken one, best first, at most `limit`, for "did you mean": equal but
 * for case and separators; then ending, starting or holding the query's words, or held by them;
 * then a few typing errors away. Empty where none is near. Equally near ones go by code point.
 */
export function nearNames(query: string, names: Iterable<string>, limit: number): string[] {
  return new NearIndex(names).nearest(query, limit);
}
