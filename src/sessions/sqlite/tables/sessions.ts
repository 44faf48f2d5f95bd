import {
  busySession,
  type ListOptions,
  type NewSession,
  type SessionRecord,
  takenId,
  unknownLeaf,
} from '../../store/index.ts';
import type { Database } from '../database/index.ts';
import { removePath, sharePath, UNUSED } from './branches.ts';
import { findSession, holderIn, recordOf, sessionRow, sessionRows } from './session-row.ts';

export function listSessions(
  database: Database,
  { folder, parent, limit }: ListOptions = {},
): readonly SessionRecord[] {
  return sessionRows(
    database,
    `WHERE parent IS ? AND folder IS ifnull(?, folder)
     ORDER BY changed_at DESC, number DESC LIMIT ?`,
    ...[parent ?? null, folder ?? null, limit ?? -1],
  ).map(recordOf);
}

/** Creates a session, which shares the entries up to its leaf. To be called in a transaction. */
export function createSession(database: Database, session: NewSession): void {
  const { id, createdAt, leaf, title, folder, parent, forkOf } = session;
  if (findSession(database, id)) throw takenId('session', id);
  const last = database.get<{ branch: number; seq: number; at: number }>(
    'SELECT branch, seq, at FROM entry WHERE id = ?',
    leaf ?? null,
  );
  if (leaf !== undefined && !last) throw unknownLeaf(leaf);
  const { row } = database.run(
    `INSERT INTO session (id, leaf, seq, created_at, changed_at, title, folder, parent, fork_of)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, leaf ?? null, last?.seq ?? 0, createdAt, Math.max(createdAt, last?.at ?? 0)],
    ...[title ?? null, folder ?? null, parent ?? null, forkOf ?? null],
  );
  if (last) sharePath(database, row, last);
}

export function renameSession(database: Database, id: string, title: string): void {
  const { number } = sessionRow(database, id);
  database.run('UPDATE session SET title = ? WHERE number = ?', title, number);
}

/** Removes a session as `SessionStore.remove` does. To be called in a transaction. */
export function removeSession(database: Database, id: string): boolean {
  const family = sessionRows(
    database,
    `WHERE id IN (
       WITH RECURSIVE family (member) AS (
         VALUES (?) UNION SELECT id FROM session JOIN family ON session.parent = member
       ) SELECT member FROM family)`,
    id,
  );
  if (!family.some((row) => row.id === id)) return false;
  for (const row of family) {
    const owner = holderIn(row);
    if (owner) throw busySession(row.id, owner);
  }
  for (const row of family) removePath(database, row);
  database.run(`DELETE FROM text WHERE ${UNUSED.text}`);
  database.execute('PRAGMA incremental_vacuum');
  return true;
}
