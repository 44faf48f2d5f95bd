import type { InboxMessage, Lease } from '../store/index.ts';
import type { Database } from './database.ts';
import { leasedRow } from './leases.ts';
import { sessionRow } from './session-row.ts';

interface InboxRow extends Pick<InboxMessage, 'id' | 'kind'> {
  readonly body: string;
}

export function postMessage(database: Database, session: string, message: InboxMessage): void {
  const { number } = sessionRow(database, session);
  const { id, kind, body } = message;
  database.run(
    'INSERT INTO inbox (session, id, kind, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ...[number, id, kind, JSON.stringify(body)],
  );
}

/** Whether there are messages. */
export function hasMessages(database: Database, lease: Lease): boolean {
  return waiting(database, leasedRow(database, lease).number).length > 0;
}

/** Takes the messages. To be called in a transaction. */
export function takeMessages(database: Database, lease: Lease): readonly InboxMessage[] {
  const { number } = leasedRow(database, lease);
  const rows = waiting(database, number);
  database.run('UPDATE inbox SET body = NULL WHERE session = ?', number);
  return rows.map(({ id, kind, body }) => ({ id, kind, body: JSON.parse(body) }));
}

function waiting(database: Database, session: number): readonly InboxRow[] {
  return database.all(
    'SELECT id, kind, body FROM inbox WHERE session = ? AND body IS NOT NULL ORDER BY number',
    session,
  );
}
