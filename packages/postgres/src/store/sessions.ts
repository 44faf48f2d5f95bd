import { randomUUID } from 'node:crypto';
import {
  busySession,
  LEASE_TIME,
  type ListOptions,
  type NewSession,
  type Owner,
  type SessionRecord,
  takenId,
  unknownSession,
} from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { CLOCK, type Database, kept, type Query, restored } from './database.ts';

/** The condition of a session whose lease is held. The clock of the database alone decides it. */
export const HELD: string = `(owner IS NOT NULL AND abs(${CLOCK} - renewed_at) < ${LEASE_TIME})`;

/** A session, by its number, and the sessions of its subagents. */
export const FAMILY = `family (number, id, changed_at) AS (
  SELECT number, id, changed_at FROM @session WHERE id = $1
  UNION SELECT session.number, session.id, session.changed_at
  FROM @session AS session JOIN family ON session.parent = family.id
)`;

const COLUMNS = `id, leaf, seq, created_at AS "createdAt", changed_at AS "changedAt", title, folder, parent,
  fork_of AS "forkOf"`;

/** A row as a record: without what is null, but for the leaf. */
function recordOf({
  leaf,
  ...row
}: Readonly<Record<string, string | number | null>>): SessionRecord {
  const known = Object.entries(row).flatMap(([name, value]) =>
    value === null ? [] : [[name, typeof value === 'string' ? restored(value) : value] as const],
  );
  const record = {
    leaf: typeof leaf === 'string' ? restored(leaf) : null,
    ...Object.fromEntries(known),
  };
  return record as unknown as SessionRecord;
}

export async function findRecords(
  database: Database,
  ids: readonly string[],
): Promise<readonly (SessionRecord | undefined)[]> {
  const sql = `SELECT ${COLUMNS} FROM @session WHERE id = ANY ($1)`;
  const rows = await database.query<Readonly<Record<string, string | null>>>(sql, ids.map(kept));
  const records = new Map(rows.map(recordOf).map((record) => [record.id, record]));
  return ids.map((id) => records.get(id));
}

/** The owner of each session's lease, if that is not free. */
export async function findHolders(
  database: Database,
  ids: readonly string[],
): Promise<readonly (Owner | ToolfoldError | undefined)[]> {
  const rows = await database.query<{ id: string; owner: string | null }>(
    `SELECT id, CASE WHEN ${HELD} THEN owner END AS owner FROM @session WHERE id = ANY ($1)`,
    ids.map(kept),
  );
  const owners = new Map(rows.map(({ id, owner }) => [id, owner]));
  return ids.map((id) => {
    const owner = owners.get(kept(id));
    if (owner === undefined) return unknownSession(id);
    return owner === null ? undefined : JSON.parse(owner);
  });
}

export async function listSessions(
  database: Database,
  { folder, parent, limit }: ListOptions = {},
): Promise<readonly SessionRecord[]> {
  const values = [
    limit ?? null,
    ...[parent, folder].flatMap((one) => (one === undefined ? [] : kept(one))),
  ];
  const ofParent = parent === undefined ? 'parent IS NULL' : 'parent = $2';
  const ofFolder = folder === undefined ? '' : `AND folder = $${values.length}`;
  const rows = await database.query<Readonly<Record<string, string | null>>>(
    `SELECT ${COLUMNS} FROM @session WHERE ${ofParent} ${ofFolder}
     ORDER BY changed_at DESC, number DESC LIMIT $1::bigint`,
    ...values,
  );
  return rows.map(recordOf);
}

/** Returns a function that creates a session. Called again, it knows what a call before has done. */
export function creation(database: Database, session: NewSession): () => Promise<void> {
  const token = randomUUID();
  return () => database.transaction((query) => createSession(query, session, token, database.lock));
}

interface LeafRow {
  readonly branch: number;
  readonly seq: number;
  readonly at: number;
}

async function createSession(
  query: Query,
  { id, createdAt, leaf, title, folder, parent, forkOf }: NewSession,
  token: string,
  lock: string,
): Promise<void> {
  const textOf = (text: string | undefined) => (text === undefined ? null : kept(text));
  let last: LeafRow | undefined;
  if (leaf !== undefined) {
    // In a statement of its own: what a removal did before it got the lock must be seen.
    await query('SELECT pg_advisory_xact_lock_shared($1)', lock);
    const sql = 'SELECT branch, seq, at FROM @entry WHERE id = $1';
    [last] = await query<LeafRow>(sql, kept(leaf));
  }
  const [made] = await query<{ number: number | null; isBelow: boolean }>(
    `WITH RECURSIVE above (id) AS (
       SELECT $8::text COLLATE "C"
       UNION SELECT session.parent FROM @session AS session JOIN above ON session.id = above.id
     ), made AS (
       INSERT INTO @session (id, token, leaf, seq, created_at, changed_at, title, folder, parent, fork_of)
       SELECT $1, $2::uuid, $3, $4::bigint, $5::bigint, greatest($5::bigint, $10::bigint), $6, $7, $8, $9
       WHERE NOT EXISTS (SELECT 1 FROM above WHERE id = $1) AND ($3::text IS NULL OR $4::bigint > 0)
       ON CONFLICT (id) DO NOTHING RETURNING number
     )
     SELECT (SELECT number FROM made) AS number, EXISTS (SELECT 1 FROM above WHERE id = $1) AS "isBelow"`,
    ...[kept(id), token, textOf(leaf), last?.seq ?? 0, createdAt],
    ...[textOf(title), textOf(folder), textOf(parent), textOf(forkOf), last?.at ?? 0],
  );
  const number = made?.number;
  if (typeof number === 'number') return last && sharePath(query, number, last);
  const [known] = await query<{ token: string }>(
    'SELECT token FROM @session WHERE id = $1',
    kept(id),
  );
  if (known?.token === token) return;
  if (!known && made?.isBelow)
    throw new ToolfoldError(
      'invalid-option',
      `The session "${id}" would be below itself.`,
      'Give another parent, or none.',
    );
  if (known || leaf === undefined || last) throw takenId('a session', id);
  throw new ToolfoldError(
    'invalid-option',
    `There is no entry "${leaf}" that a session could begin with.`,
    'Use the id of an entry in this store.',
  );
}

/** Lets a new session begin with the path up to an entry. */
async function sharePath(query: Query, session: number, { branch, seq }: LeafRow): Promise<void> {
  // Every session that has the entry has the same entries before it. That of its branch may be removed.
  await query(
    `WITH source AS (
       SELECT number FROM @session WHERE number = $2
       UNION ALL SELECT session FROM @segment WHERE branch = $2 AND last >= $3 LIMIT 1
     )
     INSERT INTO @segment (session, branch, last)
     SELECT $1::bigint, branch, last FROM @segment
     WHERE session = (SELECT number FROM source) AND last < $3
     UNION ALL VALUES ($1::bigint, $2::bigint, $3::bigint)`,
    ...[session, branch, seq],
  );
}

export async function renameSession(database: Database, id: string, title: string): Promise<void> {
  const sql = 'UPDATE @session SET title = $2 WHERE id = $1 RETURNING number';
  const [row] = await database.query(sql, kept(id), kept(title));
  if (!row) throw unknownSession(id);
}

/** Removes a session as `SessionStore.remove` does. */
export function removeSession(database: Database, id: string): Promise<boolean> {
  return database.transaction(async (query) => {
    // Nobody shares an entry or a text from here on, and all that was shared before is seen.
    await query('SELECT pg_advisory_xact_lock($1)', database.lock);
    const family = await query<{ number: number; id: string; owner: string | null }>(
      `WITH RECURSIVE ${FAMILY}
       SELECT number, id, CASE WHEN ${HELD} THEN owner END AS owner FROM @session
       WHERE number IN (SELECT number FROM family) ORDER BY number FOR UPDATE`,
      kept(id),
    );
    if (family.length === 0) return false;
    for (const { id, owner } of family)
      if (owner !== null) throw busySession(restored(id), JSON.parse(owner));
    const numbers = family.map(({ number }) => number);
    const shared = await query<{ branch: number }>(
      'SELECT DISTINCT branch FROM @segment WHERE session = ANY ($1)',
      numbers,
    );
    await query('DELETE FROM @session WHERE number = ANY ($1)', numbers);
    const texts = await query<{ text: number }>(
      `WITH gone AS (
         DELETE FROM @entry AS entry WHERE branch = ANY ($1) AND seq > greatest(
           (SELECT seq FROM @session WHERE number = entry.branch),
           (SELECT max(last) FROM @segment WHERE branch = entry.branch), 0)
         RETURNING number
       )
       SELECT DISTINCT text FROM @text_use WHERE entry IN (SELECT number FROM gone)`,
      [...numbers, ...shared.map(({ branch }) => branch)],
    );
    await query(
      `DELETE FROM @text AS text WHERE number = ANY ($1)
       AND NOT EXISTS (SELECT 1 FROM @text_use WHERE text = text.number)`,
      texts.map(({ text }) => text),
    );
    return true;
  });
}
