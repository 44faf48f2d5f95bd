import { ownProperty } from '../../../tools/values/index.ts';
import type { Database, Value } from '../database/index.ts';
import { besideBody, type EntryRow, isUnchanged, pathOf } from '../tables/index.ts';

/** What was copied of a damaged file. */
export interface Salvaged {
  readonly sessions: number;
  readonly entries: number;
  /** How many of the sessions lost their last entries. */
  readonly shortened: number;
}

/** The number of a session, and that of its last entry. */
interface Numbers {
  readonly number: number;
  readonly seq: number;
}

type Row = Readonly<Record<string, Value>>;

/** A table, the column of its numbers, and the columns that its checksum is of. */
interface Table {
  readonly name: string;
  readonly key: string;
  readonly beside?: (row: Row) => string;
}

const TABLES: readonly Table[] = [
  { name: 'session', key: 'number' },
  { name: 'entry', key: 'number', beside: (row) => besideBody(row as unknown as EntryRow) },
  { name: 'segment', key: 'number' },
  { name: 'text', key: 'number', beside: ({ address }) => String(address) },
  { name: 'text_use', key: 'number' },
  { name: 'inbox', key: 'number', beside: ({ kind }) => String(kind) },
  { name: 'new_words', key: 'entry' },
];

/**
 * The search in a table ends after so many numbers in a row whose place can not be read. One damaged page
 * hides fewer rows.
 */
const MOST_FAILURES = 20_000;

/**
 * Copies all rows that can be read into an empty file of the present version. A session ends before its
 * first entry that can not be read.
 */
export function salvage(source: Database, target: Database): Salvaged {
  target.pragma('foreign_keys = OFF');
  return target.transaction(() => {
    for (const table of TABLES) {
      for (const row of rowsOf(source, table))
        if (isWhole(table, row)) insert(target, table.name, row);
    }
    // The index is made again of its words.
    for (const { id, c0 } of rowsOf(source, { name: 'words_content', key: 'id' })) {
      insert(target, 'new_words', { entry: id ?? null, content: c0 ?? null });
    }
    adoptBranches(target);
    const sessions = target.all<Numbers>('SELECT number, seq FROM session');
    const shortened = sessions.filter((session) => shorten(target, session)).length;
    removeUnused(target);
    const count = target.get<{ entries: number }>('SELECT count(*) AS entries FROM entry');
    return { sessions: sessions.length, entries: count?.entries ?? 0, shortened };
  }, 'IMMEDIATE');
}

/** The rows of a table that can be read, one by one: damage of one page leaves the others. */
function* rowsOf(source: Database, { name, key }: Table): Generator<Row> {
  if (readable(() => source.get('SELECT 1 FROM sqlite_schema')) === 'damaged') return;
  let number = 0;
  let failures = 0;
  while (failures < MOST_FAILURES) {
    const row = readable(() =>
      source.get<Row>(`SELECT * FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT 1`, number),
    );
    if (row === 'end') return;
    if (row === 'damaged') {
      failures++;
      number++;
    } else {
      failures = 0;
      number = Number(row[key]);
      yield row;
    }
  }
}

function readable(work: () => Row | undefined): Row | 'end' | 'damaged' {
  try {
    return work() ?? 'end';
  } catch (error) {
    if (ownProperty(error, 'code') === 'session-damaged') return 'damaged';
    // What SQLite calls an error of the statement: the table is not known.
    if (ownProperty(error, 'errcode') === 1) return 'end';
    throw error;
  }
}

/** Whether the checksum of a row is right, if it has one. A message that was taken has none. */
function isWhole({ beside }: Table, row: Row): boolean {
  const { json, checksum } = row;
  if (!beside || json === null) return true;
  return isUnchanged({ json: String(json), checksum: Number(checksum) }, beside(row));
}

/** A row that contradicts the table or another row is damage, and is left out. */
function insert(target: Database, table: string, row: Row): void {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  try {
    target.run(
      `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${marks})`,
      ...Object.values(row),
    );
  } catch (error) {
    if (typeof ownProperty(error, 'errcode') !== 'number') throw error;
  }
}

/** Makes sessions of branches whose own one could not be read. Their ids are lost. */
function adoptBranches(target: Database): void {
  target.run(
    `INSERT INTO session (number, id, title, leaf, seq, created_at, changed_at)
     SELECT branch, 'recovered-' || branch, 'Recovered', '', max(seq), min(at), max(at) FROM entry
     WHERE branch NOT IN (SELECT number FROM session)
       AND seq > (SELECT coalesce(max(last), 0) FROM segment WHERE segment.branch = entry.branch)
     GROUP BY branch`,
  );
}

/** Ends a session before its first entry that is not there. Returns whether there was one. */
function shorten(target: Database, session: Numbers): boolean {
  let last: { id: string | null; seq: number } = { id: null, seq: 0 };
  const path = pathOf(target, { ...session, seq: Number.MAX_SAFE_INTEGER }).flatMap(
    ({ branch, last: end }) =>
      target.all<{ id: string; seq: number; parent: string | null }>(
        'SELECT id, seq, parent FROM entry WHERE branch = ? AND seq <= ? ORDER BY seq',
        ...[branch, end],
      ),
  );
  for (const { id, seq, parent } of path) {
    if (seq !== last.seq + 1 || parent !== last.id) break;
    last = { id, seq };
  }
  const { number } = session;
  target.run('UPDATE session SET leaf = ?, seq = ? WHERE number = ?', last.id, last.seq, number);
  target.run('UPDATE segment SET last = min(last, ?) WHERE session = ?', last.seq, number);
  return last.seq < session.seq;
}

/** Removes the rows that refer to what is not there. */
function removeUnused(target: Database): void {
  for (const statement of [
    'DELETE FROM segment WHERE session NOT IN (SELECT number FROM session)',
    `DELETE FROM entry WHERE seq > max(
       coalesce((SELECT seq FROM session WHERE number = branch), 0),
       coalesce((SELECT max(last) FROM segment WHERE segment.branch = entry.branch), 0))`,
    'DELETE FROM inbox WHERE session NOT IN (SELECT number FROM session)',
    'DELETE FROM new_words WHERE entry NOT IN (SELECT number FROM entry)',
    `DELETE FROM text_use WHERE entry NOT IN (SELECT number FROM entry)
       OR text NOT IN (SELECT number FROM text)`,
    'DELETE FROM text WHERE number NOT IN (SELECT text FROM text_use)',
    `UPDATE sqlite_sequence SET seq =
       max(seq, (SELECT coalesce(max(branch), 0) FROM entry)) WHERE name = 'session'`,
  ]) {
    target.run(statement);
  }
}
