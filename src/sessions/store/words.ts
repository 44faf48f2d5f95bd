import { plainLine } from '../../tools/values/index.ts';

/** What separates words: everything but letters, digits and the marks on them. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

/** Characters of an excerpt before the first match, and in all. */
const BEFORE = 40;
const LENGTH = 160;

/** The words of a query as the user wrote them. */
export function termsOf(query: string): readonly string[] {
  return query.split(BETWEEN_WORDS).filter((word) => word !== '');
}

/** The words of a text in the form in which words are compared: small letters without marks. */
export function comparable(text: string): readonly string[] {
  return termsOf(
    text
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase(),
  );
}

/** Whether all terms occur among the words, the last one as a beginning. Both are `comparable`. */
export function matches(words: ReadonlySet<string>, terms: readonly string[]): boolean {
  const last = terms.at(-1);
  if (last === undefined) return false;
  if (!terms.slice(0, -1).every((term) => words.has(term))) return false;
  return [...words].some((word) => word.startsWith(last));
}

/** One line of a text around the first place where a term begins a word. */
export function excerptOf(text: string, terms: readonly string[]): string {
  const pattern = terms.join('|');
  const at = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})`, 'iu').exec(text)?.index ?? 0;
  const start = at <= BEFORE ? 0 : startOfWord(text, at - BEFORE, at);
  const line = plainLine(text.slice(start, start + LENGTH * 2), LENGTH);
  return start === 0 ? line : `…${line}`;
}

/** The first place after `from` where a word begins; `until` if there is none before. */
function startOfWord(text: string, from: number, until: number): number {
  const blank = text.slice(from, until).search(/\s/);
  return blank === -1 ? until : from + blank + 1;
}
