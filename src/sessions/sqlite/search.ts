import { excerptOf, type SessionHit, termsOf } from '../store/index.ts';
import type { Database } from './database.ts';

interface HitRow {
  readonly session: string;
  readonly seq: number;
  readonly content: string;
}

/** The newest entries whose words match, each in the oldest of the sessions that share it. */
export function searchWords(
  database: Database,
  query: string,
  limit: number,
): readonly SessionHit[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  // Terms hold no quotes. Quoted, they can not be operators of the query language.
  const quoted = `${terms.map((term) => `"${term}"`).join(' ')}*`;
  return database
    .all<HitRow>(
      `SELECT content, entry.seq, session.id AS session
       FROM words
       JOIN entry ON entry.number = words.rowid
       JOIN session ON session.number =
         (SELECT min(session) FROM segment
          WHERE branch = entry.branch AND entry.seq BETWEEN first AND last)
       WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?`,
      ...[quoted, limit],
    )
    .map(({ session, seq, content }) => ({ session, seq, excerpt: excerptOf(content, terms) }));
}
