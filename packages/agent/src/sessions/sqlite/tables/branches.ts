import type { Database } from './database.ts';

/** A session, by its number, with the number of its last entry. */
interface PathEnd {
  readonly number: number;
  readonly seq: number;
}

/** A part of a path: the entries of a branch up to a number. */
export interface Segment {
  readonly branch: number;
  readonly last: number;
}

/** Conditions of the rows that no session has, by table. */
export const UNUSED = {
  entry: `seq > max(
    coalesce((SELECT session.seq FROM session WHERE session.number = entry.branch), 0),
    coalesce((SELECT max(last) FROM segment WHERE segment.branch = entry.branch), 0))`,
  text: 'NOT EXISTS (SELECT 1 FROM text_use WHERE text_use.text = text.number)',
} as const;

/**
 * The path of a session. Each entry stands in the branch of the session that appended it. A fork begins
 * with segments of the branches of others, and goes on in its own one.
 */
export function pathOf(database: Database, { number, seq }: PathEnd): readonly Segment[] {
  const shared = database.all<Segment>(
    'SELECT branch, last FROM segment WHERE session = ? ORDER BY last',
    number,
  );
  return [...shared, { branch: number, last: seq }];
}

/** Lets a new session begin with the path up to an entry. */
export function sharePath(
  database: Database,
  session: number,
  { branch, seq }: { readonly branch: number; readonly seq: number },
): void {
  // Every session that has the entry has the same entries before it. That of its branch may be removed.
  const source = database.get<{ number: number }>(
    `SELECT number FROM session WHERE number = ?
     UNION ALL SELECT session FROM segment WHERE branch = ? AND last >= ? LIMIT 1`,
    ...[branch, branch, seq],
  );
  database.run(
    `INSERT INTO segment (session, branch, last)
     SELECT ?, branch, last FROM segment WHERE session = ? AND last < ?
     UNION ALL VALUES (?, ?, ?)`,
    ...[session, source?.number ?? 0, seq, session, branch, seq],
  );
}

/** Removes a session, and the entries that no other one shares. */
export function removePath(database: Database, row: PathEnd): void {
  const path = pathOf(database, row);
  database.run('DELETE FROM session WHERE number = ?', row.number);
  for (const { branch } of path)
    database.run(`DELETE FROM entry WHERE branch = ? AND ${UNUSED.entry}`, branch);
}
