import {
  busySession,
  type ListOptions,
  type NewSession,
  type SessionRecord,
  takenId,
  unknownLeaf,
} from '../store/index.ts';
import type { Database, Value } from './database.ts';
import {
  COLUMNS,
  findSession,
  holderIn,
  recordOf,
  type SessionRow,
  sessionRow,
} from './session-row.ts';

export function listSessions(
  database: Database,
  { folder, parent, limit }: ListOptions,
): readonly SessionRecord[] {
  const isInFolder = folder === undefined ? '' : 'AND folder = ?';
  const values: Value[] = [parent ?? null, ...(folder === undefined ? [] : [folder]), limit ?? -1];
  return database
    .all<SessionRow>(
      `SELECT ${COLUMNS} FROM session WHERE parent IS ? ${isInFolder}
       ORDER BY changed_at DESC, number DESC LIMIT ?`,
      ...values,
    )
    .map(recordOf);
}

/** Creates a session, which shares the entries up to its leaf. To be called in a transaction. */
export function createSession(database: Database, session: NewSession): void {
  const { id, createdAt, leaf, title, folder, parent, forkOf } = session;
  if (findSession(database, id)) throw takenId('session', id);
  const last =
    leaf === undefined
      ? undefined
      : database.get<{ branch: number; seq: number; at: number }>(
          'SELECT branch, seq, at FROM entry WHERE id = ?',
          leaf,
        );
  if (leaf !== undefined && !last) throw unknownLeaf(leaf);
  const { branch, seq, at } = last ?? { branch: 0, seq: 0, at: 0 };
  database.run(
    `INSERT INTO session (id, leaf, seq, created_at, changed_at, title, folder, parent, fork_of)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, leaf ?? null, seq, createdAt, Math.max(createdAt, at)],
    ...[title ?? null, folder ?? null, parent ?? null, forkOf ?? null],
  );
  const { number } = sessionRow(database, id);
  // Every session that has the leaf has the same entries before it.
  database.run(
    `INSERT INTO segment (session, branch, first, last)
     SELECT ?, branch, first, min(last, ?) FROM segment
     WHERE first <= ? AND session =
       (SELECT session FROM segment WHERE branch = ? AND first <= ? AND last >= ? LIMIT 1)`,
    ...[number, seq, seq, branch, seq, seq],
  );
  database.run(
    'INSERT INTO segment (session, branch, first, last) VALUES (?, ?, ?, ?)',
    ...[number, number, seq + 1, seq],
  );
}

export function renameSession(database: Database, id: string, title: string): void {
  const { number } = sessionRow(database, id);
  database.run('UPDATE session SET title = ? WHERE number = ?', title, number);
}

/** Removes a session as `SessionStore.remove` does. To be called in a transaction. */
export function removeSession(database: Database, id: string): boolean {
  const family = database.all<SessionRow>(
    `WITH RECURSIVE family (member) AS (
       VALUES (?) UNION SELECT id FROM session JOIN family ON session.parent = member
     )
     SELECT ${COLUMNS} FROM session JOIN family ON id = member`,
    id,
  );
  if (!family.some((row) => row.id === id)) return false;
  for (const row of family) {
    const owner = holderIn(row);
    if (owner) throw busySession(row.id, owner);
  }
  for (const { number } of family) {
    const branches = database.all<{ branch: number }>(
      'SELECT branch FROM segment WHERE session = ?',
      number,
    );
    database.run('DELETE FROM session WHERE number = ?', number);
    for (const { branch } of branches) {
      database.run(
        `DELETE FROM entry WHERE branch = ? AND seq >
         (SELECT coalesce(max(last), 0) FROM segment WHERE branch = ?)`,
        ...[branch, branch],
      );
    }
  }
  database.run(
    'DELETE FROM text WHERE NOT EXISTS (SELECT 1 FROM text_use WHERE text = text.number)',
  );
  return true;
}
