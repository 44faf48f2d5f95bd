import {
  busySession,
  type Inbox,
  type InboxMessage,
  type Lease,
  lostSession,
  type Owner,
  type PostedMessage,
  unknownSession,
  WATCH_TIME,
} from '@toolfold/agent/internal/sessions';
import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { JsonObject } from '@toolfold/core/internal/values';
import { CLOCK, type Database, kept, LIMITS, restored, violatedBy } from './database.ts';
import { FAMILY, findHolders, HELD } from './sessions.ts';

/**
 * The sessions of leases, given as three lists, that are the last ones and not released. After a failover that has lost
 * a commit, another owner may have the same number.
 */
const OF_LEASES = `FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS lease (id, fence, instance, place)
  JOIN @session AS session ON session.id = lease.id AND session.fence = lease.fence AND session.instance = lease.instance`;

const valuesOf = (leases: readonly Lease[]) => [
  leases.map(({ session }) => kept(session)),
  leases.map(({ fence }) => fence),
  leases.map(({ owner }) => kept(owner.instance)),
];

/** Takes the lease of a session, in one statement. */
export async function acquireLease(
  database: Database,
  session: string,
  owner: Owner,
): Promise<Lease> {
  const held = { ...owner, since: Date.now() };
  for (;;) {
    const [row] = await database.query<{ fence: number }>(
      `WITH ${LIMITS}, taken AS (
         UPDATE @session SET fence = fence + 1, owner = $2, instance = $3, renewed_at = ${CLOCK} FROM limits
         WHERE id = $1 AND (instance = $3 OR NOT ${HELD}) RETURNING number, fence
       ), hidden AS (
         DELETE FROM @draft WHERE session = (SELECT number FROM taken)
       )
       SELECT fence FROM taken`,
      ...[kept(session), JSON.stringify(held), kept(owner.instance)],
    );
    if (row) return { session, fence: row.fence, owner: held };
    const [holder] = await findHolders(database, [session]);
    if (holder instanceof Error) throw holder;
    // Free again meanwhile.
    if (holder) throw busySession(session, holder);
  }
}

/** Renews leases in one statement. Returns an error in the place of each that is lost. */
export async function renewLeases(
  database: Database,
  leases: readonly Lease[],
): Promise<readonly (ToolfoldError | undefined)[]> {
  const rows = await database.query<{ place: number }>(
    `WITH ${LIMITS}, held AS (
       SELECT session.number, place ${OF_LEASES} CROSS JOIN limits ORDER BY session.number FOR UPDATE OF session
     ), renewed AS (
       UPDATE @session SET renewed_at = ${CLOCK} WHERE number IN (SELECT number FROM held)
     )
     SELECT place FROM held`,
    ...valuesOf(leases),
  );
  return errorsFor(database, leases, new Set(rows.map(({ place }) => place)));
}

/** The error for each lease that was not found, by its place, from 1 on. */
async function errorsFor(
  database: Database,
  leases: readonly Lease[],
  found: ReadonlySet<number>,
): Promise<readonly (ToolfoldError | undefined)[]> {
  const lost = leases.filter((_, index) => !found.has(index + 1));
  if (lost.length === 0) return leases.map(() => undefined);
  const sql = 'SELECT id FROM @session WHERE id = ANY ($1)';
  const ids = lost.map(({ session }) => kept(session));
  const known = new Set((await database.query<{ id: string }>(sql, ids)).map(({ id }) => id));
  return leases.map(({ session }, index) => {
    if (found.has(index + 1)) return undefined;
    if (!known.has(kept(session))) return unknownSession(session);
    return lostSession(
      `The lease of the session "${session}" was released or taken by another owner.`,
    );
  });
}

export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.query(
    `WITH ${LIMITS}, freed AS (
       UPDATE @session SET owner = NULL, instance = NULL FROM limits WHERE id = $1 AND fence = $2 AND instance = $3 RETURNING number
     )
     DELETE FROM @draft WHERE session = (SELECT number FROM freed)`,
    ...[kept(lease.session), lease.fence, kept(lease.owner.instance)],
  );
}

/** What throws `session-unknown` where a row refers to a session that was removed meanwhile, and other errors as they are. */
function goneAs(session: string, constraint: string): (error: unknown) => never {
  return (error) => {
    throw violatedBy(error) === constraint ? unknownSession(session) : error;
  };
}

export async function postMessage(
  database: Database,
  session: string,
  { id, kind, body }: InboxMessage,
): Promise<void> {
  const rows = await database
    .query(
      `WITH RECURSIVE ${LIMITS}, ${FAMILY}, found AS (
         SELECT number FROM @session, limits WHERE id = $1
       ), posted AS (
         INSERT INTO @inbox (session, id, kind, json, at)
         SELECT number, $2, $3, $4, greatest($5::bigint, (SELECT max(changed_at) + 1 FROM family)) FROM found
         ON CONFLICT (session, id) DO NOTHING
       )
       SELECT number FROM found`,
      ...[kept(session), kept(id), kept(kind), JSON.stringify(body), Date.now()],
    )
    .catch(goneAs(session, 'inbox_session_fkey'));
  if (rows.length === 0) throw unknownSession(session);
}

interface InboxRow extends Omit<PostedMessage, 'id' | 'body'> {
  readonly place: number;
  readonly isWatched: boolean;
  /** Null if no message waits. */
  readonly id: string | null;
  readonly json: string;
}

/** What waits for each holder, found in one statement, with an error in the place of each lease that is lost. */
export async function findInboxes(
  database: Database,
  leases: readonly Lease[],
): Promise<readonly (Inbox | ToolfoldError)[]> {
  const rows = await database.query<InboxRow>(
    `SELECT place, waiting.id, kind, json, at, EXISTS (
       SELECT 1 FROM @draft WHERE session = session.number AND abs(${CLOCK} - watched_at) < ${WATCH_TIME}
     ) AS "isWatched" ${OF_LEASES}
     LEFT JOIN @inbox AS waiting ON waiting.session = session.number AND json IS NOT NULL
     ORDER BY waiting.number`,
    ...valuesOf(leases),
  );
  const inboxes = Map.groupBy(rows, ({ place }) => place);
  const errors = await errorsFor(database, leases, new Set(inboxes.keys()));
  return leases.map((_, index) => {
    const found = inboxes.get(index + 1) ?? [];
    const messages = found.flatMap(({ id, kind, json, at }): PostedMessage[] =>
      id === null ? [] : [{ id: restored(id), kind, body: JSON.parse(json), at }],
    );
    return errors[index] ?? { messages, isWatched: found[0]?.isWatched === true };
  });
}

export async function showDraft(
  database: Database,
  lease: Lease,
  draft: JsonObject | undefined,
): Promise<void> {
  const rows = await database.query(
    `WITH held AS (
       SELECT number, fence FROM @session WHERE id = $1 AND fence = $2 AND instance = $4
     ), shown AS (
       UPDATE @draft AS draft SET fence = held.fence, json = $3 FROM held WHERE draft.session = held.number
     )
     SELECT number FROM held`,
    ...[kept(lease.session), lease.fence, draft === undefined ? null : JSON.stringify(draft)],
    kept(lease.owner.instance),
  );
  if (rows.length > 0) return;
  throw (await renewLeases(database, [lease]))[0] ?? lostSession('The lease was taken again.');
}

/** What the holder shows. Lets it know that somebody watches, unless it has been told a moment ago. */
export async function watchSession(
  database: Database,
  session: string,
): Promise<JsonObject | undefined> {
  const [row] = await database
    .query<{ json: string | null }>(
      `WITH found AS (
       SELECT number, fence, ${HELD} AS held FROM @session WHERE id = $1
     ), noted AS (
       INSERT INTO @draft (session, watched_at, fence) SELECT number, ${CLOCK}, fence FROM found
       WHERE held AND NOT EXISTS (
         SELECT 1 FROM @draft WHERE session = number AND abs(${CLOCK} - watched_at) < ${WATCH_TIME / 2})
       ON CONFLICT (session) DO UPDATE SET watched_at = excluded.watched_at
     )
     SELECT CASE WHEN held THEN json END AS json
     FROM found LEFT JOIN @draft AS draft ON draft.session = number AND draft.fence = found.fence`,
      kept(session),
    )
    .catch(goneAs(session, 'draft_session_fkey'));
  if (!row) throw unknownSession(session);
  return row.json === null ? undefined : JSON.parse(row.json);
}
