import type { JsonObject } from '../../../tools/values/index.ts';
import {
  type AppendOptions,
  type Entry,
  lostSession,
  MISSING_ENTRY,
  type NewEntry,
  type SessionRecord,
  takenId,
} from '../../store/index.ts';
import { pathOf } from './branches.ts';
import type { Database } from './database.ts';
import { takeMessages } from './inbox.ts';
import { type JsonColumn, parsed, written } from './json-column.ts';
import { leasedRow, noteRenewal } from './leases.ts';
import { sessionRow } from './sessions.ts';
import { damaged } from './sqlite-error.ts';

export interface EntryRow extends Omit<Entry, 'body'>, JsonColumn {}

/** The columns of an entry beside its body, for its checksum. */
export function besideBody({ id, parent, seq, kind, at }: Omit<Entry, 'body'>): string {
  return JSON.stringify([id, parent, seq, kind, at]);
}

/** Appends entries as `SessionStore.append` does. To be called in a transaction. */
export function appendEntries(
  database: Database,
  entries: readonly NewEntry[],
  { lease, texts = new Map(), taken = [] }: AppendOptions,
): void {
  const session = leasedRow(database, lease);
  checkOrder(session.record, entries);
  const last = entries.at(-1);
  if (!last) return;
  for (const entry of entries) {
    const number = insertEntry(database, session.number, entry);
    if (entry === entries[0]) addTexts(database, number, texts);
  }
  database.run(
    `UPDATE session SET leaf = ?, seq = ?, changed_at = max(changed_at, ?) WHERE number = ?`,
    ...[last.id, last.seq, last.at, session.number],
  );
  // A renewal of the last second is enough.
  if (Math.abs(Date.now() - session.renewed.at) >= 1_000) noteRenewal(database, session.number);
  takeMessages(database, session.number, taken);
}

/** Throws `session-lost` if the entries do not follow the last one of a session, each the one before it. */
function checkOrder(
  { id, leaf, seq }: Pick<SessionRecord, 'id' | 'leaf' | 'seq'>,
  entries: readonly Entry[],
): void {
  let last: Pick<Entry, 'id' | 'seq'> = { id: leaf ?? '', seq };
  for (const entry of entries) {
    if ((entry.parent ?? '') !== last.id || entry.seq !== last.seq + 1) {
      throw lostSession(
        `The entry ${entry.seq} does not follow the last entry of the session "${id}", which is ${last.seq}.`,
      );
    }
    last = entry;
  }
}

/** Returns the number of the new row. */
export function insertEntry(database: Database, branch: number, entry: NewEntry): number {
  const { seq, body, at, words } = entry;
  // SQLite keeps no half characters.
  const [id, kind] = [entry.id.toWellFormed(), entry.kind.toWellFormed()];
  const parent = entry.parent?.toWellFormed() ?? null;
  const { json, checksum } = written(body, besideBody({ id, parent, seq, kind, at }));
  const { row, changes } = database.run(
    `INSERT INTO entry (branch, seq, id, parent, kind, at, checksum, json)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    ...[branch, seq, id, parent, kind, at, checksum, json],
  );
  if (changes === 0) throw takenId('an entry', id);
  if (words) database.run('INSERT INTO new_words (entry, content) VALUES (?, ?)', row, words);
  return row;
}

/**
 * The entries of a session after a number, in order. Throws `session-damaged` unless each of them follows
 * the one before, up to the leaf of the session.
 */
export function readEntries(
  database: Database,
  id: string,
  options: { readonly after?: number } = {},
): readonly Entry[] {
  const after = Math.max(options.after ?? 0, 0);
  const { number, record } = sessionRow(database, id);
  const entries: Entry[] = [];
  let from = after;
  // One query for each part. With one for all, SQLite would sort the bodies.
  for (const { branch, last } of pathOf(database, { number, seq: record.seq })) {
    const rows = database.all<EntryRow>(
      `SELECT id, parent, seq, kind, at, checksum, json FROM entry
       WHERE branch = ? AND seq > ? AND seq <= ? ORDER BY seq`,
      ...[branch, from, last],
    );
    for (const { checksum, json, ...row } of rows) {
      const what = `the entry ${row.seq} of the session "${id}"`;
      const body = parsed({ json, checksum }, database.file, what, besideBody(row));
      const before = entries.at(-1);
      // Nobody knows what a lost entry was called.
      const parent = before?.kind === MISSING_ENTRY ? before.id : row.parent;
      if (row.seq !== (before?.seq ?? after) + 1 || (before && parent !== before.id))
        throw damaged(database.file, `${what} does not follow the one before`);
      entries.push({ ...row, parent, body: body as JsonObject });
    }
    from = Math.max(from, last);
  }
  const { id: leaf, seq } = entries.at(-1) ?? {
    id: record.leaf,
    seq: Math.min(after, record.seq),
  };
  if (seq !== record.seq || leaf !== record.leaf)
    throw damaged(database.file, `the session "${id}" has not all its entries`);
  return entries;
}

/** Keeps texts as long as an entry. */
function addTexts(database: Database, entry: number, texts: ReadonlyMap<string, string>): void {
  for (const [address, text] of texts) {
    const { json, checksum } = written(text, address);
    database.run(
      'INSERT INTO text (address, checksum, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      ...[address, checksum, json],
    );
    database.run(
      'INSERT INTO text_use (entry, text) SELECT ?, number FROM text WHERE address = ?',
      ...[entry, address],
    );
  }
}

export function findText(database: Database, address: string): string | undefined {
  const row = database.get<JsonColumn>(
    'SELECT json, checksum FROM text WHERE address = ?',
    address,
  );
  return row && String(parsed(row, database.file, `the text ${address}`, address));
}
