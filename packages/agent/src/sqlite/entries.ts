import { type JsonObject, plainLine } from '@toolfold/core/internal/values';
import {
  type AppendOptions,
  type Entry,
  lostSession,
  MISSING_ENTRY,
  type NewEntry,
  type SearchOptions,
  type SessionHit,
  type SessionRecord,
  takenId,
} from '../sessions/index.ts';
import type { Database } from './database.ts';
import { leasedRow, noteRenewals, takeMessages } from './leases.ts';
import { pathOf, sessionRow } from './sessions.ts';
import { isUnchanged, type JsonColumn, parsed, written } from './sqlite-error.ts';

const COLUMNS = 'id, parent, seq, kind, at, checksum, json';

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
  if (Math.abs(Date.now() - session.renewed.at) >= 1_000)
    noteRenewals(database, JSON.stringify([session.number]));
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
function insertEntry(database: Database, branch: number, entry: NewEntry): number {
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
 * The entries of a session after a number, in order. An entry `missing` stands in the place of each that is not there,
 * or is not what was written, or does not precede the one behind it.
 */
export function readEntries(
  database: Database,
  id: string,
  options: { readonly after?: number } = {},
): readonly Entry[] {
  const { number, record } = sessionRow(database, id);
  const after = Math.min(Math.max(options.after ?? 0, 0), record.seq);
  const rows = rowsOf(database, { number, seq: record.seq }, after);
  const entries: Entry[] = [];
  // Backwards, because the session names its last entry, and each entry the one before it.
  let next: string | null | undefined = record.leaf;
  for (let seq = record.seq; seq > after; seq--) {
    const entry: Entry | undefined = entryOf(rowAt(database, seq, rows.get(seq), next));
    entries.push(entry ?? missingEntry(id, seq, next));
    // Nobody knows which entry a lost one has followed.
    next = entry ? entry.parent : undefined;
  }
  return joined(entries.reverse(), record);
}

/** The rows on the path of a session, by the numbers of the entries. */
function rowsOf(
  database: Database,
  end: { readonly number: number; readonly seq: number },
  after: number,
): ReadonlyMap<number, EntryRow> {
  const rows = new Map<number, EntryRow>();
  let from = after;
  // One query for each part. With one for all, SQLite would sort the bodies.
  for (const { branch, last } of pathOf(database, end)) {
    const part = database.all<EntryRow>(
      `SELECT ${COLUMNS} FROM entry
       WHERE branch = ? AND seq > ? AND seq <= ? ORDER BY seq`,
      ...[branch, from, last],
    );
    for (const row of part) rows.set(row.seq, row);
    from = Math.max(from, last);
  }
  return rows;
}

/** The row of an entry: that on the path, or that with the id where damage has changed the path. */
function rowAt(
  database: Database,
  seq: number,
  row: EntryRow | undefined,
  id: string | null | undefined,
): EntryRow | undefined {
  if (id === undefined || row?.id === id) return row;
  const named = database.get<EntryRow>(`SELECT ${COLUMNS} FROM entry WHERE id = ?`, id);
  return named?.seq === seq ? named : undefined;
}

/** The entry of a row. Undefined if damage has changed it. */
function entryOf(row: EntryRow | undefined): Entry | undefined {
  if (!row) return;
  const { checksum, json, ...columns } = row;
  if (typeof json !== 'string' || !isUnchanged({ json, checksum }, besideBody(row))) return;
  return { ...columns, body: JSON.parse(json) as JsonObject };
}

function missingEntry(session: string, seq: number, id: string | null | undefined): Entry {
  const name = id ?? `${session} ${MISSING_ENTRY} ${seq}`;
  return { id: name, parent: null, seq, kind: MISSING_ENTRY, body: {}, at: 0 };
}

/** Gives the entries beside lost ones a parent, and the lost ones a time. */
function joined(entries: readonly Entry[], { createdAt }: SessionRecord): readonly Entry[] {
  const gap = entries.findIndex(({ kind }) => kind === MISSING_ENTRY);
  if (gap < 0) return entries;
  let last = entries[gap - 1];
  const rest = entries.slice(gap).map((entry) => {
    const isLost = entry.kind === MISSING_ENTRY && entry.at === 0;
    const at = isLost ? (last?.at ?? createdAt) : entry.at;
    last = { ...entry, at, parent: last ? last.id : entry.parent };
    return last;
  });
  return [...entries.slice(0, gap), ...rest];
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

/** When each tool ran last, by its name. It follows from the index alone. */
export function lastRuns(database: Database): ReadonlyMap<string, number> {
  const rows = database.all<{ readonly name: unknown; readonly at: number }>(
    `SELECT iif(json_valid(json), json_extract(json, '$.name'), NULL) AS name, max(at) AS at
     FROM entry WHERE kind = 'start' GROUP BY 1`,
  );
  return new Map(rows.flatMap(({ name, at }) => (typeof name === 'string' ? [[name, at]] : [])));
}

/** What separates words: everything but letters, digits and the marks on them. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

/** Words of an excerpt, and most characters. */
const WORDS = 20;
const LENGTH = 160;

/** Whether there are words that are not in the index yet. */
export function hasNewWords(database: Database): boolean {
  return database.get('SELECT 1 FROM new_words LIMIT 1') !== undefined;
}

/**
 * Brings the index up to date. Appending does not do it, because it would take twice the time. To be
 * called in a transaction.
 */
export function indexWords(database: Database): void {
  database.run('INSERT INTO words (rowid, content) SELECT entry, content FROM new_words');
  database.run('DELETE FROM new_words');
}

/** The newest entries whose words match, each in the oldest of the sessions that share it. */
export function searchWords(
  database: Database,
  query: string,
  { limit = 20 }: SearchOptions = {},
): readonly SessionHit[] {
  const terms = query.split(BETWEEN_WORDS).filter((word) => word !== '');
  if (terms.length === 0) return [];
  // Terms hold no quotes. Quoted, they can not be operators of the query language.
  const quoted = `${terms.map((term) => `"${term}"`).join(' ')}*`;
  return database
    .all<SessionHit>(
      `SELECT snippet(words, 0, '', '', '…', ${WORDS}) AS excerpt, entry.seq, session.id AS session
       FROM words
       JOIN entry ON entry.number = words.rowid
       JOIN session ON session.number = coalesce(
         (SELECT number FROM session WHERE number = entry.branch),
         (SELECT min(session) FROM segment WHERE branch = entry.branch AND last >= entry.seq)
       )
       WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?`,
      ...[quoted, limit],
    )
    .map((hit) => ({ ...hit, excerpt: plainLine(hit.excerpt.trim(), LENGTH) }));
}
