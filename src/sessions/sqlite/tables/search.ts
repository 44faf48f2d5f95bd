import { plainLine } from '../../../tools/values/index.ts';
import type { SearchOptions, SessionHit } from '../../store/index.ts';
import type { Database } from './database.ts';

/** What separates words: everything but letters, digits and the marks on them. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

/** Characters of an excerpt before the first match, and in all. */
const BEFORE = 40;
const LENGTH = 160;

/** Whether there are words that are not in the index yet. */
export function hasNewWords(database: Database): boolean {
  return database.get('SELECT 1 FROM new_words LIMIT 1') !== undefined;
}

/**
 * Brings the index up to date. Appending does not do it, because it would take twice the time. To be
 * called in a transaction.
 */
export function indexWords(database: Database): void {
  database.run('INSERT INTO words (rowid, content) SELECT entry, content FROM new_words');
  database.run('DELETE FROM new_words');
}

/** The newest entries whose words match, each in the oldest of the sessions that share it. */
export function searchWords(
  database: Database,
  query: string,
  { limit = 20 }: SearchOptions = {},
): readonly SessionHit[] {
  const terms = query.split(BETWEEN_WORDS).filter((word) => word !== '');
  if (terms.length === 0) return [];
  // Terms hold no quotes. Quoted, they can not be operators of the query language.
  const quoted = `${terms.map((term) => `"${term}"`).join(' ')}*`;
  return database
    .all<Omit<SessionHit, 'excerpt'> & { readonly content: string }>(
      `SELECT content, entry.seq, session.id AS session
       FROM words
       JOIN entry ON entry.number = words.rowid
       JOIN session ON session.number = coalesce(
         (SELECT number FROM session WHERE number = entry.branch),
         (SELECT min(session) FROM segment WHERE branch = entry.branch AND last >= entry.seq)
       )
       WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?`,
      ...[quoted, limit],
    )
    .map(({ session, seq, content }) => ({ session, seq, excerpt: excerptOf(content, terms) }));
}

/** One line of a text around the first place where a term begins a word. */
function excerptOf(text: string, terms: readonly string[]): string {
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
