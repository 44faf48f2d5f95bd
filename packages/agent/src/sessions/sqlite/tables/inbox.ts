import type { JsonObject } from '@toolfold/core/internal/tools/values';
import type { Inbox, InboxMessage, Lease, PostedMessage } from '../../store/index.ts';
import type { Database } from './database.ts';
import { isWatched } from './drafts.ts';
import { type JsonColumn, parsed, written } from './json-column.ts';
import { leasedRow } from './leases.ts';
import { FAMILY, sessionRow } from './sessions.ts';

interface InboxRow extends Omit<PostedMessage, 'body'>, JsonColumn {}

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

/** What waits for the holder. */
export function findInbox(database: Database, lease: Lease): Inbox {
  const { number } = leasedRow(database, lease);
  const rows = database.all<InboxRow>(
    `SELECT id, kind, checksum, json, at FROM inbox
     WHERE session = ? AND json IS NOT NULL ORDER BY number`,
    number,
  );
  const messages = rows.map(({ id, kind, at, ...column }) => {
    const body = parsed(column, database.file, `the message ${id}`, kind);
    return { id, kind, body: body as JsonObject, at };
  });
  return { messages, isWatched: isWatched(database, number) };
}

/** The messages do not wait any more. Their ids stay known. */
export function takeMessages(database: Database, session: number, ids: readonly string[]): void {
  for (const id of ids)
    database.run(
      'UPDATE inbox SET json = NULL, checksum = NULL WHERE session = ? AND id = ?',
      ...[session, id],
    );
}
