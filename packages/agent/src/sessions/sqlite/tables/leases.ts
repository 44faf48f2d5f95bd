import { hostname } from 'node:os';
import { isGone, type Lease, lostSession, type Owner, thisMoment } from '../../store/index.ts';
import type { Database } from './database.ts';
import { busySession, findSession, holderIn, type SessionRow, sessionRow } from './sessions.ts';

/** The row of a lease's session. Throws `session-lost` if the lease is not the last one, or released. */
export function leasedRow(database: Database, { session, fence }: Lease): SessionRow {
  const row = sessionRow(database, session);
  if (row.fence !== fence || !row.owner) {
    throw lostSession(
      `The lease of the session "${session}" was released or taken by another owner.`,
    );
  }
  return row;
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
  noteRenewal(database, number);
  database.run('DELETE FROM draft WHERE session = ?', number);
  return { session, fence, owner: held };
}

export function renewLease(database: Database, lease: Lease): void {
  noteRenewal(database, leasedRow(database, lease).number);
}

/** The lease of a session is renewed now. */
export function noteRenewal(database: Database, number: number): void {
  const renewed = thisMoment();
  database.run(
    `UPDATE session SET renewed_at = ?, owner = json_set(owner, '$.renewed', json(?))
     WHERE number = ?`,
    ...[renewed.at, JSON.stringify(renewed), number],
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
