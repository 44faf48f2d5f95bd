import {
  type AppendOptions,
  type Entry,
  lostSession,
  type NewEntry,
  type SearchOptions,
  type SessionHit,
  takenId,
  unknownSession,
} from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { CLOCK, type Database, kept, LIMITS, restored, violatedBy } from './database.ts';
import { renewLeases } from './leases.ts';
import { excerptOf, piecesOf, termsOf } from './words.ts';

/**
 * Appends entries in one statement. It takes the session's row only if they follow its last entry, so of two at the same
 * time one finds no row. A text that is there is locked by writing it again, so that a removal cannot take it meanwhile.
 */
const APPEND = `
  WITH ${LIMITS}, sharing AS MATERIALIZED (
    SELECT CASE WHEN cardinality($12::text[]) > 0 THEN pg_advisory_xact_lock_shared($5)::text END FROM limits
  ), held AS (
    UPDATE @session SET leaf = $6, seq = $7, changed_at = greatest(changed_at, $8::bigint), renewed_at = ${CLOCK}
    FROM sharing
    WHERE id = $1 AND fence = $2 AND instance = $23 AND seq = $3 AND leaf IS NOT DISTINCT FROM $4
    RETURNING number
  ), added AS (
    INSERT INTO @entry (branch, seq, id, parent, kind, at, json, tool)
    SELECT held.number, new.seq, new.id, new.parent, new.kind, new.at, new.json, new.tool
    FROM held, unnest($9::bigint[], $10::text[], $11::text[], $14::text[], $15::bigint[], $16::text[], $22::text[])
      AS new (seq, id, parent, kind, at, json, tool)
    RETURNING number, seq
  ), said AS (
    INSERT INTO @words (entry, piece, content, folded)
    SELECT added.number, said.piece, said.content, array_to_tsvector(string_to_array(said.folded, ' '))
    FROM added JOIN unnest($17::bigint[], $18::int[], $19::text[], $20::text[])
      AS said (seq, piece, content, folded) USING (seq)
  ), given AS (
    INSERT INTO @text (address, json)
    SELECT new.address, new.json FROM held, unnest($12::text[], $13::text[]) AS new (address, json)
    ORDER BY new.address
    ON CONFLICT (address) DO UPDATE SET address = excluded.address RETURNING number
  ), used AS (
    INSERT INTO @text_use (entry, text) SELECT (SELECT min(number) FROM added), number FROM given
  ), taken AS (
    UPDATE @inbox SET json = NULL WHERE session = (SELECT number FROM held) AND id = ANY ($21::text[])
  )
  SELECT number FROM held`;

/** Appends entries as `SessionStore.append` does. */
export async function appendEntries(
  database: Database,
  entries: readonly NewEntry[],
  { lease, texts = new Map(), taken = [] }: AppendOptions,
): Promise<void> {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) {
    const [lost] = await renewLeases(database, [lease]);
    if (lost) throw lost;
    return;
  }
  const gap = entries.findIndex((entry, index) => {
    const before = index === 0 ? undefined : entries[index - 1];
    return before && (entry.parent !== before.id || entry.seq !== before.seq + 1);
  });
  if (gap > 0) throw unfollowing(lease.session, entries[gap] ?? first);
  const words = entries.flatMap(({ seq, words = '' }) =>
    piecesOf(words).map((piece, at) => ({ seq, at, ...piece })),
  );
  const keptOr = (text: string | null) => (text === null ? null : kept(text));
  const rows = await database
    .query(
      APPEND,
      ...[kept(lease.session), lease.fence, first.seq - 1, keptOr(first.parent), database.lock],
      ...[kept(last.id), last.seq, last.at],
      ...[entries.map(({ seq }) => seq), entries.map(({ id }) => kept(id))],
      entries.map(({ parent }) => keptOr(parent)),
      ...[[...texts.keys()].map(kept), [...texts.values()].map((text) => JSON.stringify(text))],
      ...[entries.map(({ kind }) => kept(kind)), entries.map(({ at }) => at)],
      entries.map(({ body }) => JSON.stringify(body)),
      ...[words.map(({ seq }) => seq), words.map(({ at }) => at)],
      ...[words.map(({ content }) => kept(content)), words.map(({ folded }) => folded.join(' '))],
      taken.map(kept),
      entries.map(({ kind, body }) =>
        kind === 'start' && typeof body.name === 'string' ? kept(body.name) : null,
      ),
      kept(lease.owner.instance),
    )
    .catch((error) => {
      throw violatedBy(error) === 'entry_id' ? takenId('an entry', takenIn(error)) : error;
    });
  if (rows.length > 0) return;
  throw (await renewLeases(database, [lease]))[0] ?? unfollowing(lease.session, first);
}

/** The id that PostgreSQL names in an error. */
function takenIn(error: unknown): string {
  const { cause } = error as { cause?: { detail?: string } };
  return restored(/\(id\)=\((.*)\) already/s.exec(cause?.detail ?? '')?.[1] ?? '');
}

function unfollowing(id: string, { seq }: Pick<Entry, 'seq'>): ToolfoldError {
  return lostSession(`The entry ${seq} does not follow the last entry of the session "${id}".`);
}

interface EntryRow extends Omit<Entry, 'body'> {
  /** The number of the session's last entry. */
  readonly end: number;
  readonly json: string;
}

/** The entries of a session after a number, in order. */
export async function readEntries(
  database: Database,
  id: string,
  options: { readonly after?: number } = {},
): Promise<readonly Entry[]> {
  const after = Math.min(Math.max(options.after ?? 0, 0), Number.MAX_SAFE_INTEGER);
  const rows = await database.query<EntryRow | { readonly end: number; readonly id: null }>(
    `WITH wanted AS (
       SELECT number, seq AS end FROM @session WHERE id = $1
     ), path AS (
       SELECT branch, last, false AS own FROM @segment WHERE session = (SELECT number FROM wanted)
       UNION ALL SELECT number, wanted.end, true FROM wanted
     ), parts AS (
       SELECT branch, last, lag(last, 1, 0::bigint) OVER (ORDER BY last, own) AS before FROM path
     ), found AS (
       SELECT entry.* FROM parts JOIN @entry AS entry
       ON entry.branch = parts.branch AND entry.seq > greatest(before, $2::bigint) AND entry.seq <= last
     )
     SELECT wanted.end, found.id, found.parent, found.seq, found.kind, found.at, found.json
     FROM wanted LEFT JOIN found ON true ORDER BY found.seq`,
    ...[kept(id), after],
  );
  const [first] = rows;
  if (!first) throw unknownSession(id);
  const entries = rows.flatMap((row): Entry[] => {
    if (row.id === null) return [];
    const { end: _, json, parent, seq, at } = row;
    const names = { id: restored(row.id), parent: parent === null ? null : restored(parent) };
    return [{ ...names, seq, at, kind: restored(row.kind), body: JSON.parse(json) }];
  });
  const expected = Math.max(first.end - after, 0);
  if (entries.length === expected) return entries;
  throw new ToolfoldError(
    'session-damaged',
    `The session "${id}" has ${entries.length} entries after number ${after} in ${database.name}, and not ${expected}.`,
    'Restore the database from a backup.',
  );
}

export async function findText(database: Database, address: string): Promise<string | undefined> {
  const sql = 'SELECT json FROM @text WHERE address = $1';
  const [row] = await database.query<{ json: string }>(sql, kept(address));
  return row && JSON.parse(row.json);
}

/** When each tool ran last, by its name. */
export async function lastRuns(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ tool: string; at: number }>(
    'SELECT tool, max(at) AS at FROM @entry WHERE tool IS NOT NULL GROUP BY tool',
  );
  return new Map(rows.map(({ tool, at }) => [restored(tool), at]));
}

/** Most words of a query. */
const MOST_TERMS = 50;

/** The newest entries whose words match, each in the oldest of the sessions that share it. */
export async function searchWords(
  database: Database,
  query: string,
  { limit = 20 }: SearchOptions = {},
): Promise<readonly SessionHit[]> {
  const terms = termsOf(query).slice(0, MOST_TERMS);
  if (terms.length === 0) return [];
  // Terms hold no quotes. The words of an entry may stand in several pieces.
  const quoted = terms.map((term, index) => `'${term}'${index === terms.length - 1 ? ':*' : ''}`);
  const matches = terms.map(
    (_, index) => `SELECT entry FROM @words WHERE folded @@ $${index + 2}::tsquery`,
  );
  const rows = await database.query<{ session: string; seq: number; content: string }>(
    `WITH hit AS (
       SELECT entry.* FROM @entry AS entry WHERE number IN (${matches.join(' INTERSECT ')})
       ORDER BY number DESC LIMIT $1::bigint
     )
     SELECT session.id AS session, hit.seq,
       (SELECT content FROM @words WHERE entry = hit.number AND folded @@ $2::tsquery LIMIT 1) AS content
     FROM hit JOIN @session AS session ON session.number = coalesce(
       (SELECT number FROM @session WHERE number = hit.branch),
       (SELECT min(session) FROM @segment WHERE branch = hit.branch AND last >= hit.seq))
     ORDER BY hit.number DESC`,
    ...[limit, ...quoted],
  );
  return rows.map(({ session, seq, content }) => ({
    session: restored(session),
    seq,
    excerpt: excerptOf(restored(content), terms),
  }));
}
