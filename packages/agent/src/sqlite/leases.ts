import { hostname } from 'node:os';
import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { isRecord, type JsonObject, parsedJson } from '@toolfold/core/internal/values';
import {
  busySession,
  elapsed,
  type Inbox,
  type InboxMessage,
  isGone,
  type Lease,
  lostSession,
  type Moment,
  type Owner,
  type PostedMessage,
  thisMoment,
  unknownSession,
  WATCH_TIME,
} from '../sessions/index.ts';
import type { Database } from './database.ts';
import {
  FAMILY,
  findSession,
  findSessions,
  holderIn,
  type SessionRow,
  sessionRow,
} from './sessions.ts';
import { type JsonColumn, parsed, written } from './sqlite-error.ts';

/** The row of a lease's session. Throws `session-lost` if the lease is not the last one, or released. */
export function leasedRow(database: Database, lease: Lease): SessionRow {
  const [row] = leasedRows(database, [lease]);
  if (row instanceof Error || !row) throw row;
  return row;
}

/** The rows of the sessions of leases, with an error in the place of each that `leasedRow` would refuse. */
function leasedRows(
  database: Database,
  leases: readonly Lease[],
): readonly (SessionRow | ToolfoldError)[] {
  const rows = findSessions(
    database,
    leases.map(({ session }) => session),
  );
  return leases.map(({ session, fence }, index) => {
    const row = rows[index];
    if (!row) return unknownSession(session);
    if (row.fence === fence && row.owner) return row;
    return lostSession(
      `The lease of the session "${session}" was released or taken by another owner.`,
    );
  });
}

/** The numbers of rows that are none of errors, as JSON. */
function numbersOf(rows: readonly (SessionRow | ToolfoldError)[]): string {
  return JSON.stringify(rows.flatMap((row) => (row instanceof Error ? [] : row.number)));
}

/**
 * To be called in a transaction, as the others here. Returns the state of a lease that is doubtful, and does not take
 * it. `doubtful`: the state that was returned a while ago. The lease is taken if it was not renewed since.
 */
export function acquireLease(
  database: Database,
  session: string,
  owner: Owner,
  doubtful?: string,
): Lease | string {
  const row = sessionRow(database, session);
  const { number, owner: last } = row;
  if (last && last.instance !== owner.instance) {
    const doubt = doubtIn(row);
    if (doubt !== undefined && doubtful === undefined) return doubt;
    const isHeld = holderIn(row) !== undefined || (doubt !== undefined && doubt !== doubtful);
    if (isHeld) throw busySession(session, last);
  }
  const fence = row.fence + 1;
  const held = { ...owner, since: Date.now() };
  database.run(
    'UPDATE session SET fence = ?, owner = ? WHERE number = ?',
    ...[fence, JSON.stringify(held), number],
  );
  noteRenewals(database, JSON.stringify([number]));
  database.run('DELETE FROM draft WHERE session = ?', number);
  return { session, fence, owner: held };
}

/** Renews leases. Returns an error in the place of each that is lost. */
export function renewLeases(
  database: Database,
  leases: readonly Lease[],
): readonly (ToolfoldError | undefined)[] {
  const rows = leasedRows(database, leases);
  noteRenewals(database, numbersOf(rows));
  return rows.map((row) => (row instanceof Error ? row : undefined));
}

/** The leases of sessions are renewed now. `numbers`: a list in JSON. */
export function noteRenewals(database: Database, numbers: string): void {
  const renewed = thisMoment();
  database.run(
    `UPDATE session SET renewed_at = ?, owner = json_set(owner, '$.renewed', json(?))
     WHERE number IN (SELECT value FROM json_each(?))`,
    ...[renewed.at, JSON.stringify(renewed), numbers],
  );
}

export function releaseLease(database: Database, { session, fence }: Lease): void {
  const row = findSession(database, session);
  if (row?.fence !== fence) return;
  database.run('UPDATE session SET owner = NULL WHERE number = ?', row.number);
  database.run('DELETE FROM draft WHERE session = ?', row.number);
}

/**
 * The state of a lease whose time is over although its owner may be alive on this host. A clock that was set,
 * or a lock of the file, looks the same as a process that was stopped.
 */
function doubtIn(row: SessionRow): string | undefined {
  const { owner, fence, renewed } = row;
  if (!owner || holderIn(row) || owner.host !== hostname() || isGone(owner)) return;
  return `${fence} ${renewed.at} ${renewed.ticks}`;
}

/** What the holder of a session shows, and who watches it. */
interface DraftRow {
  readonly session: number;
  /** When somebody watched last, as JSON. */
  readonly watched: string;
  readonly fence: number;
  /** Null if nothing is shown. */
  readonly json: string | null;
}

/** Whether somebody has watched a session in the last milliseconds. */
function isWatched(
  draft: Pick<DraftRow, 'watched'> | undefined,
  time: number = WATCH_TIME,
): boolean {
  const moment = parsedJson(draft?.watched ?? '');
  // Never again what damage has made of it.
  return isRecord(moment) && elapsed(moment as unknown as Moment, thisMoment()) < time;
}

export function showDraft(database: Database, lease: Lease, draft: JsonObject | undefined): void {
  const { number } = leasedRow(database, lease);
  database.run(
    'UPDATE draft SET fence = ?, json = ? WHERE session = ?',
    ...[lease.fence, draft === undefined ? null : JSON.stringify(draft), number],
  );
}

/** What the holder shows, and whether it is to be told that somebody watches. */
export function findDraft(
  database: Database,
  id: string,
): { readonly draft: JsonObject | undefined; readonly mustNote: boolean } {
  const row = sessionRow(database, id);
  if (!holderIn(row)) return { draft: undefined, mustNote: false };
  const known = draftOf(database, row.number);
  const draft = known?.fence === row.fence ? parsedJson(known.json ?? '') : undefined;
  return {
    draft: isRecord(draft) ? (draft as JsonObject) : undefined,
    mustNote: !isWatched(known, WATCH_TIME / 2),
  };
}

export function noteWatch(database: Database, id: string): void {
  const row = sessionRow(database, id);
  database.run(
    `INSERT INTO draft (session, watched, fence) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET watched = excluded.watched`,
    ...[row.number, JSON.stringify(thisMoment()), row.fence],
  );
}

function draftOf(database: Database, session: number): DraftRow | undefined {
  return database.get('SELECT session, watched, fence, json FROM draft WHERE session = ?', session);
}

interface InboxRow extends Omit<PostedMessage, 'body'>, JsonColumn {
  readonly session: number;
}

export function postMessage(database: Database, session: string, message: InboxMessage): void {
  const { number } = sessionRow(database, session);
  const { id, kind, body } = message;
  const { json, checksum } = written(body, kind);
  database.run(
    `INSERT INTO inbox (session, id, kind, checksum, json, at)
     VALUES (?, ?, ?, ?, ?, (${FAMILY} SELECT max(?, max(changed_at) + 1) FROM family))
     ON CONFLICT DO NOTHING`,
    ...[number, id, kind, checksum, json, number, Date.now()],
  );
}

/** What waits for each holder, with an error in the place of each lease that is lost. */
export function findInboxes(
  database: Database,
  leases: readonly Lease[],
): readonly (Inbox | ToolfoldError)[] {
  const rows = leasedRows(database, leases);
  const numbers = numbersOf(rows);
  const waiting = database.all<InboxRow>(
    `SELECT session, id, kind, checksum, json, at FROM inbox
     WHERE session IN (SELECT value FROM json_each(?)) AND json IS NOT NULL ORDER BY number`,
    numbers,
  );
  const drafts = database.all<Pick<DraftRow, 'session' | 'watched'>>(
    'SELECT session, watched FROM draft WHERE session IN (SELECT value FROM json_each(?))',
    numbers,
  );
  const inboxes = Map.groupBy(waiting, ({ session }) => session);
  const watched = new Map(drafts.map((draft) => [draft.session, draft]));
  return rows.map((row) => {
    if (row instanceof Error) return row;
    try {
      const messages = (inboxes.get(row.number) ?? []).map(({ id, kind, at, json, checksum }) => {
        const body = parsed({ json, checksum }, database.file, `the message ${id}`, kind);
        return { id, kind, body: body as JsonObject, at };
      });
      return { messages, isWatched: isWatched(watched.get(row.number)) };
    } catch (error) {
      // A changed message is that of one session.
      return error as ToolfoldError;
    }
  });
}

/** The messages do not wait any more. Their ids stay known. */
export function takeMessages(database: Database, session: number, ids: readonly string[]): void {
  for (const id of ids)
    database.run(
      'UPDATE inbox SET json = NULL, checksum = NULL WHERE session = ? AND id = ?',
      ...[session, id],
    );
}
