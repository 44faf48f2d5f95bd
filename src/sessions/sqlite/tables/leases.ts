import { busySession, type Lease, lostSession, type Owner } from '../../store/index.ts';
import type { Database } from '../database/index.ts';
import { findSession, holderIn, type SessionRow, sessionRow } from './session-row.ts';

/** The row of a lease's session. Throws `session-lost` if the lease is not the last one, or released. */
export function leasedRow(database: Database, { session, fence }: Lease): SessionRow {
  const row = sessionRow(database, session);
  if (row.fence !== fence || row.owner === null) throw lostSession(session);
  return row;
}

/** To be called in a transaction, as the others here. */
export function acquireLease(database: Database, session: string, owner: Owner): Lease {
  const row = sessionRow(database, session);
  const holder = holderIn(row);
  if (holder) throw busySession(session, holder);
  const fence = row.fence + 1;
  const now = Date.now();
  const held = { ...owner, since: now };
  database.run(
    'UPDATE session SET fence = ?, owner = ?, renewed_at = ? WHERE number = ?',
    ...[fence, JSON.stringify(held), now, row.number],
  );
  return { session, fence, owner: held };
}

export function renewLease(database: Database, lease: Lease): void {
  const { number } = leasedRow(database, lease);
  database.run('UPDATE session SET renewed_at = ? WHERE number = ?', Date.now(), number);
}

export function releaseLease(database: Database, { session, fence }: Lease): void {
  const row = findSession(database, session);
  if (row?.fence !== fence) return;
  database.run('UPDATE session SET owner = NULL WHERE number = ?', row.number);
}
