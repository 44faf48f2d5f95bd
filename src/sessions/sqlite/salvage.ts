import { crc32 } from 'node:zlib';
import { own } from '../../tools/values/index.ts';
import { pathOf } from './branches.ts';
import type { Database, Value } from './database.ts';
import { COLUMNS, type SessionRow } from './session-row.ts';

/** What was copied of a damaged file. */
export interface Salvaged {
  readonly sessions: number;
  readonly entries: number;
  /** How many of the sessions lost their last entries. */
  readonly shortened: number;
}

type Row = Readonly<Record<string, Value>>;

/** The tables by their key, and where their rows go. A row comes after those that it refers to. */
const TABLES = [
  { name: 'session', key: 'number' },
  { name: 'entry', key: 'number', checked: 'body' },
  { name: 'segment', key: 'number' },
  { name: 'text', key: 'number', checked: 'json' },
  { name: 'text_use', key: 'number' },
  { name: 'inbox', key: 'number' },
  { name: 'new_words', key: 'entry' },
] as const;

/** At most this many rows fit into a page, where the highest number can not be read. */
const ROWS_OF_PAGE = 100;

/**
 * Copies all rows that can be read into an empty file of the present version. A session ends before its
 * first entry that can not be read.
 */
export function salvage(source: Database, target: Database): Salvaged {
  target.pragma('foreign_keys = OFF');
  return target.transaction(() => {
    for (const { name, key, ...others } of TABLES) {
      const checked = 'checked' in others ? others.checked : undefined;
      for (const row of rowsOf(source, name, key)) {
        if (checked === undefined || crc32(String(row[checked])) === row.checksum) {
          insert(target, name, row);
        }
      }
    }
    // The index is made again of its words.
    for (const { id, c0 } of rowsOf(source, 'words_content', 'id')) {
      insert(target, 'new_words', { entry: id ?? null, content: c0 ?? null });
    }
    adoptBranches(target);
    const sessions = target.all<SessionRow>(`SELECT ${COLUMNS} FROM session ORDER BY number`);
    const shortened = sessions.filter((row) => shorten(target, row)).length;
    removeUnused(target);
    const count = target.get<{ entries: number }>('SELECT count(*) AS entries FROM entry');
    return { sessions: sessions.length, entries: count?.entries ?? 0, shortened };
  }, 'IMMEDIATE');
}

/** The rows of a table that can be read, one by one: damage of one page leaves the others. */
function* rowsOf(source: Database, table: string, key: string): Generator<Row> {
  const last = readable(() =>
    source.get<{ last: number | null }>(`SELECT max(${key}) AS last FROM ${table}`),
  );
  const pages = Number(readable(() => source.pragma('page_count')) ?? 0);
  const count = last ? (last.last ?? 0) : pages * ROWS_OF_PAGE;
  for (let number = 1; number <= count; number++) {
    const row = readable(() => source.get<Row>(`SELECT * FROM ${table} WHERE ${key} = ?`, number));
    if (row) yield row;
  }
}

/** What `work` returns; undefined where the file can not be read. */
function readable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    // Damage, or a table that is not there: what SQLite calls an error of the statement.
    if (own(error, 'code') === 'session-damaged' || own(error, 'errcode') === 1) return undefined;
    throw error;
  }
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
    if (typeof own(error, 'errcode') !== 'number') throw error;
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
function shorten(target: Database, session: SessionRow): boolean {
  let last: { id: string | null; seq: number } = { id: null, seq: 0 };
  const path = pathOf(target, session).flatMap(({ branch, last: end }) =>
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
