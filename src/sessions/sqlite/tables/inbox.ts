import type { JsonObject } from '../../../tools/values/index.ts';
import type { InboxMessage, Lease } from '../../store/index.ts';
import type { Database } from './database.ts';
import { type JsonColumn, parsed, written } from './json-column.ts';
import { leasedRow } from './leases.ts';
import { sessionRow } from './sessions.ts';

interface InboxRow extends Pick<InboxMessage, 'id' | 'kind'>, JsonColumn {}

export function postMessage(database: Database, session: string, message: InboxMessage): void {
  const { number } = sessionRow(database, session);
  const { id, kind, body } = message;
  const { json, checksum } = written(body, kind);
  database.run(
    `INSERT INTO inbox (session, id, kind, checksum, json) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    ...[number, id, kind, checksum, json],
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
  database.run('UPDATE inbox SET json = NULL, checksum = NULL WHERE session = ?', number);
  return rows.map(({ id, kind, ...column }) => {
    const body = parsed(column, database.file, `the message ${id}`, kind);
    return { id, kind, body: body as JsonObject };
  });
}

function waiting(database: Database, session: number): readonly InboxRow[] {
  return database.all(
    'SELECT id, kind, checksum, json FROM inbox WHERE session = ? AND json IS NOT NULL ORDER BY number',
    session,
  );
}
