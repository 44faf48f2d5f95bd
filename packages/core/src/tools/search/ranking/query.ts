import { searchWords } from '../../names/near/index.ts';
import { type Action, askedActions, STOP_WORDS } from '../terms/index.ts';

/** Where a clause ends. */
const CLAUSE_END = /[.?!;:,\n]+|\s[+&|]\s|\b(?:and|or|then|also|plus|but|as well as)\b/i;
/** Queries of fewer words are not divided. */
const LONG_QUERY = 8;
/** Shorter clauses are joined to the next one. */
const MIN_CLAUSE = 2;

/** Finds the phrases among the words of a text. */
export type FindPhrases = (words: readonly string[]) => readonly string[];

/** A query as lists of words and phrases: all that say something, and the same clause by clause. */
export interface Query {
  readonly words: readonly string[];
  /** Empty for a query that is one clause. */
  readonly clauses: readonly (readonly string[])[];
  /** What the clauses ask for, as far as they say it. */
  readonly actions: ReadonlySet<Action>;
}

/** Reads a query without polite words, unless there are no others. The phrases come after the words. */
export function readQuery(text: string, phrasesIn: FindPhrases): Query {
  const [all = [], ...parts] = [text, ...text.split(CLAUSE_END)].map(searchWords);
  const actions = askedActions(parts);
  const words = tellingWords(all);
  const clauses: string[][] = [];
  let open: string[] = [];
  for (const part of words.length < LONG_QUERY ? [] : parts) {
    open.push(...tellingWords(part), ...phrasesIn(part));
    if (open.length < MIN_CLAUSE) continue;
    clauses.push(open);
    open = [];
  }
  if (open.length > 0) clauses.push(open);
  return {
    words: [...words, ...phrasesIn(all)],
    clauses: clauses.length > 1 ? clauses : [],
    actions,
  };
}

function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}
