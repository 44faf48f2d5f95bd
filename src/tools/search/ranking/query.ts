import { searchWords } from '../../names/near/index.ts';
import { STOP_WORDS } from '../terms/index.ts';
import type { QueryText } from './query-text.ts';

/** Where a clause ends. */
const CLAUSE_END = /[.?!;:,\n]+|\s[+&|]\s|\b(?:and|or|then|also|plus|but|as well as)\b/i;
/** Queries of fewer words are not divided. */
const LONG_QUERY = 8;
/** Shorter clauses are joined to the next one. */
const MIN_CLAUSE = 2;

/** A query as lists of words: all that say something, and the same clause by clause. */
export interface Query {
  readonly words: readonly string[];
  /** Empty for a query that is one clause. */
  readonly clauses: readonly (readonly string[])[];
  /** Whether it is the part of a longer text. */
  readonly isPart: boolean;
}

/** Reads a query without polite words, unless there are no others. */
export function readQuery({ text, passages }: QueryText): Query {
  const words = tellingWords(text);
  const isPart = passages.length > 0;
  if (words.length < LONG_QUERY) return { words, clauses: [], isPart };
  const clauses: string[][] = [];
  let open: string[] = [];
  for (const part of text.split(CLAUSE_END)) {
    open.push(...tellingWords(part));
    if (open.length < MIN_CLAUSE) continue;
    clauses.push(open);
    open = [];
  }
  if (open.length > 0) clauses.push(open);
  return { words, clauses: clauses.length > 1 ? clauses : [], isPart };
}

function tellingWords(text: string): string[] {
  const words = searchWords(text);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}
