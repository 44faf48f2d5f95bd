import { plainLine } from '@toolfold/core/internal/tools/values';
import type { SearchOptions, SessionHit } from '../../store/index.ts';
import type { Database } from './database.ts';

/** What separates words: everything but letters, digits and the marks on them. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

/** Words of an excerpt, and most characters. */
const WORDS = 20;
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
    .all<SessionHit>(
      `SELECT snippet(words, 0, '', '', '…', ${WORDS}) AS excerpt, entry.seq, session.id AS session
       FROM words
       JOIN entry ON entry.number = words.rowid
       JOIN session ON session.number = coalesce(
         (SELECT number FROM session WHERE number = entry.branch),
         (SELECT min(session) FROM segment WHERE branch = entry.branch AND last >= entry.seq)
       )
       WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?`,
      ...[quoted, limit],
    )
    .map((hit) => ({ ...hit, excerpt: plainLine(hit.excerpt.trim(), LENGTH) }));
}
