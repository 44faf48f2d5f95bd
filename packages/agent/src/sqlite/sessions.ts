import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  busySession,
  isLeaseFree,
  type LeaseState,
  type ListOptions,
  type NewSession,
  type Owner,
  type SessionRecord,
  takenId,
  thisMoment,
  unknownSession,
} from '../sessions/index.ts';
import type { Database, Value } from './database.ts';
import { damaged } from './sqlite-error.ts';

const COLUMNS =
  'number, id, leaf, seq, created_at AS createdAt, changed_at AS changedAt, folder, parent, ' +
  // Node 22 cuts a text at its first null character.
  "iif(typeof(title) = 'text', json_quote(title), NULL) AS title, " +
  // An owner that damage has changed is none.
  'fork_of AS forkOf, fence, iif(json_valid(owner), owner, NULL) AS owner, renewed_at AS renewedAt';

/** A row of the table `session`: the state of its lease beside what others know of it. */
export interface SessionRow extends LeaseState {
  readonly number: number;
  readonly fence: number;
  readonly record: SessionRecord;
}

/** A session, by its number, and the sessions of its subagents. */
export const FAMILY = `WITH RECURSIVE family (number, id, changed_at) AS (
  SELECT number, id, changed_at FROM session WHERE number = ?
  UNION SELECT session.number, session.id, session.changed_at
  FROM session JOIN family ON session.parent = family.id
)`;

/** The id of a session's parent, and those above it. */
const ABOVE = `WITH RECURSIVE above (id) AS (
  SELECT ? UNION SELECT session.parent FROM session JOIN above ON session.id = above.id
)`;

/** The sessions that meet a condition of SQL. */
function sessionRows(
  database: Database,
  condition: string,
  ...values: readonly Value[]
): readonly SessionRow[] {
  return database
    .all<StoredRow>(`SELECT ${COLUMNS} FROM session ${condition}`, ...values)
    .map(({ number, fence, owner: json, renewedAt: at, leaf, title, ...columns }) => {
      const all = { ...columns, title: JSON.parse(title ?? 'null') };
      const known = Object.entries(all).filter(([, value]) => value !== null);
      const record = { leaf, ...Object.fromEntries(known) } as SessionRecord;
      if (json === null) return { number, fence, record, owner: undefined, renewed: { at } };
      const { renewed, ...owner } = JSON.parse(json);
      // The end of a lease renews the time alone.
      return { number, fence, record, owner, renewed: renewed?.at === at ? renewed : { at } };
    });
}

interface StoredRow extends Pick<SessionRow, 'number' | 'fence'>, Omit<SessionRecord, 'title'> {
  /** As JSON. */
  readonly title: string | null;
  readonly owner: string | null;
  readonly renewedAt: number;
}

export function findSession(database: Database, id: string): SessionRow | undefined {
  const [row] = sessionRows(database, 'WHERE id = ?', id);
  if (row && row.record.id !== id.toWellFormed())
    throw damaged(database.file, `the session "${id}" has another id`);
  return row;
}

/** The rows of sessions, found at once. */
export function findSessions(
  database: Database,
  ids: readonly string[],
): readonly (SessionRow | undefined)[] {
  if (ids.length === 1) return ids.map((id) => findSession(database, id));
  // Few lengths of the list, so that few statements are kept.
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  const rows = sessionRows(
    database,
    `WHERE id IN (${Array(size).fill('?').join()})`,
    ...[...ids, ...Array(size - ids.length).fill(null)],
  );
  const found = new Map(rows.map((row) => [row.record.id, row]));
  // Damage may hide a row, or let another one be found.
  return ids.map((id) => found.get(id.toWellFormed()) ?? findSession(database, id));
}

export function sessionRow(database: Database, id: string): SessionRow {
  const row = findSession(database, id);
  if (!row) throw unknownSession(id);
  return row;
}

export function findRecords(
  database: Database,
  ids: readonly string[],
): readonly (SessionRecord | undefined)[] {
  return findSessions(database, ids).map((row) => row?.record);
}

/** The owner of a lease that is not free. */
export function holderIn(lease: LeaseState): Owner | undefined {
  return lease.owner && !isLeaseFree(lease, thisMoment()) ? lease.owner : undefined;
}

export function findHolders(
  database: Database,
  ids: readonly string[],
): readonly (Owner | Error | undefined)[] {
  return findSessions(database, ids).map((row, index) =>
    row ? holderIn(row) : unknownSession(ids[index] ?? ''),
  );
}

export function listSessions(
  database: Database,
  { folder, parent, limit }: ListOptions = {},
): readonly SessionRecord[] {
  return sessionRows(
    database,
    `WHERE parent IS ? AND folder IS ifnull(?, folder)
     ORDER BY changed_at DESC, number DESC LIMIT ?`,
    ...[parent ?? null, folder ?? null, limit ?? -1],
  ).map(({ record }) => record);
}

/** Creates a session, which shares the entries up to its leaf. To be called in a transaction. */
export function createSession(database: Database, session: NewSession): void {
  const { id, createdAt, leaf, title, folder, parent, forkOf } = session;
  if (findSession(database, id)) throw takenId('a session', id);
  const last = database.get<{ branch: number; seq: number; at: number }>(
    'SELECT branch, seq, at FROM entry WHERE id = ?',
    leaf ?? null,
  );
  if (leaf !== undefined && !last)
    throw new ToolfoldError(
      'invalid-option',
      `There is no entry "${leaf}" that a session could begin with.`,
      'Use the id of an entry in this store.',
    );
  if (database.get(`${ABOVE} SELECT id FROM above WHERE id = ?`, parent ?? null, id))
    throw new ToolfoldError(
      'invalid-option',
      `The session "${id}" would be below itself.`,
      'Give another parent, or none.',
    );
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
  const found = findSession(database, id);
  if (!found) return false;
  const condition = `WHERE number IN (${FAMILY} SELECT number FROM family)`;
  const family = sessionRows(database, condition, found.number);
  for (const row of family) {
    const owner = holderIn(row);
    if (owner) throw busySession(row.record.id, owner);
  }
  for (const { number, record } of family) removePath(database, { number, seq: record.seq });
  database.run(`DELETE FROM text WHERE ${UNUSED.text}`);
  database.execute('PRAGMA incremental_vacuum');
  return true;
}

/** A session, by its number, with the number of its last entry. */
interface PathEnd {
  readonly number: number;
  readonly seq: number;
}

/** A part of a path: the entries of a branch up to a number. */
interface PathSegment {
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
export function pathOf(database: Database, { number, seq }: PathEnd): readonly PathSegment[] {
  const shared = database.all<PathSegment>(
    'SELECT branch, last FROM segment WHERE session = ? ORDER BY last',
    number,
  );
  return [...shared, { branch: number, last: seq }];
}

/** Lets a new session begin with the path up to an entry. */
function sharePath(
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
function removePath(database: Database, row: PathEnd): void {
  const path = pathOf(database, row);
  database.run('DELETE FROM session WHERE number = ?', row.number);
  for (const { branch } of path)
    database.run(`DELETE FROM entry WHERE branch = ? AND ${UNUSED.entry}`, branch);
}
