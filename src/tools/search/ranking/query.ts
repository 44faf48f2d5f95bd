import { searchWords } from '../../names/near/index.ts';
import { type Action, actionOf, STOP_WORDS } from '../terms/index.ts';

/** Where a clause ends. */
const CLAUSE_END = /[.?!;:,\n]+|\s[+&|]\s|\b(?:and|or|then|also|plus|but|as well as)\b/i;
/** Queries of fewer words are not divided. */
const LONG_QUERY = 8;
/** Shorter clauses are joined to the next one. */
const MIN_CLAUSE = 2;
/** Words that ask a question. */
const QUESTION = /^wh(?:at|ich|o|ose|ere|en|y)$/;
/** Words that ask a question where a clause begins with them. */
const FIRST_WORD = /^(?:is|are|was|were|do|does|did|has|have|had)$/;

/** A query as lists of words: all that say something, and the same clause by clause. */
export interface Query {
  readonly words: readonly string[];
  /** Empty for a query that is one clause. */
  readonly clauses: readonly (readonly string[])[];
  /** What the clauses ask for, as far as they say it. */
  readonly actions: ReadonlySet<Action>;
}

/** Reads a query without polite words, unless there are no others. */
export function readQuery(text: string): Query {
  const words = tellingWords(searchWords(text));
  const parts = text.split(CLAUSE_END).map(searchWords);
  const clauses: string[][] = [];
  let open: string[] = [];
  for (const part of parts) {
    open.push(...tellingWords(part));
    if (open.length < MIN_CLAUSE) continue;
    clauses.push(open);
    open = [];
  }
  if (open.length > 0) clauses.push(open);
  return {
    words,
    clauses: words.length >= LONG_QUERY && clauses.length > 1 ? clauses : [],
    actions: new Set(parts.flatMap((part) => askedAction(part) ?? [])),
  };
}

function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/** What a clause asks for: a question asks to read, and of other clauses the first word that is not polite says it. */
function askedAction(words: readonly string[]): Action | undefined {
  const at = words.findIndex((word) => !STOP_WORDS.has(word));
  const polite = at < 0 ? words : words.slice(0, at);
  if (FIRST_WORD.test(polite[0] ?? '') || polite.some((word) => QUESTION.test(word))) return 'read';
  const [verb = '', next] = words.slice(polite.length);
  return actionOf([next === 'rid' ? next : verb]);
}
