import { MISSING_ENTRY } from '../../store/index.ts';
import {
  besideBody,
  type Database,
  type EntryRow,
  isUnchanged,
  UNUSED,
  type Value,
} from '../tables/index.ts';
import { joinEntries } from './join-entries.ts';
import { type Pages, type StoredRow, storedRows } from './pages.ts';

/** What was copied of a damaged file. */
export interface Salvaged {
  readonly sessions: number;
  /** Entries that could be read. */
  readonly entries: number;
  /** How many of the sessions have lost entries. */
  readonly incomplete: number;
}

type Row = Readonly<Record<string, Value>>;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/** The tables that are copied. The words of the search index look like new words, and become them again. */
const TABLES = ['session', 'entry', 'segment', 'text', 'text_use', 'inbox', 'new_words'];

/** The columns that the checksum of a row is of, beside its JSON. A message that was taken has none. */
const BESIDE: Readonly<Record<string, (row: Row) => string>> = {
  entry: (row) => besideBody(row as unknown as EntryRow),
  text: ({ address }) => String(address),
  inbox: ({ kind }) => String(kind),
};

const ADDRESS = /[0-9a-f]{64}/g;

/**
 * Copies all rows that can be read into an empty file of the present version. An entry that a session has
 * lost is marked in its place.
 */
export function salvage(source: Pages, target: Database): Salvaged {
  target.pragma('foreign_keys = OFF');
  return target.write(() => {
    copyRows(source, target);
    const incomplete = joinEntries(target);
    removeUnused(target);
    const count = (table: string) =>
      target.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0;
    const entries = count(`entry WHERE kind <> '${MISSING_ENTRY}'`);
    return { sessions: count('session'), entries, incomplete };
  });
}

function copyRows(source: Pages, target: Database): void {
  const tables = TABLES.map((name) => {
    const sql = `SELECT name, type, "notnull", pk FROM pragma_table_info('${name}')`;
    return { name, columns: target.all<Column>(sql) };
  });
  /** Which entries name which addresses of texts: the table that says so may be damaged. */
  const named: [entry: number, address: string][] = [];
  for (const { number, columns } of storedRows(source)) {
    const table = tables.find((each) => fits(each.columns, columns));
    if (!table) continue;
    const values = table.columns.map(({ name, pk }, n) => [
      name,
      pk ? number : (columns[n] ?? null),
    ]);
    const row: Row = Object.fromEntries(values);
    if (!isWhole(table.name, row)) continue;
    const copied = insert(target, table.name, Object.values(row));
    if (copied === undefined || table.name !== 'entry') continue;
    for (const address of new Set(String(row.json).match(ADDRESS))) named.push([copied, address]);
  }
  for (const [entry, address] of named) {
    target.run(
      'INSERT OR IGNORE INTO text_use (entry, text) SELECT ?, number FROM text WHERE address = ?',
      ...[entry, address],
    );
  }
}

/** Returns the number of the row. Undefined if the row contradicts another one. */
function insert(target: Database, name: string, values: readonly Value[]): number | undefined {
  const sql = `INSERT OR IGNORE INTO ${name} VALUES (${values.map(() => '?').join(', ')})`;
  if (target.run(sql, ...values).changes > 0) return Number(values[0]);
  // The number of a row may be damage and that of another one. Words belong to the entry of their number.
  if (name === 'new_words') return;
  const { changes, row } = target.run(sql, null, ...values.slice(1));
  return changes > 0 ? row : undefined;
}

/** Whether a row can be one of a table. The number and the types of columns tell the tables apart. */
function fits(columns: readonly Column[], row: StoredRow['columns']): boolean {
  return (
    row.length <= columns.length &&
    columns.every(({ type, notnull, pk }, n) => {
      // A row that was written before the table had its last columns.
      const value = row[n] ?? null;
      if (value === null) return pk === 1 || notnull === 0;
      if (pk === 1) return false;
      return type === 'TEXT' ? typeof value === 'string' : Number.isSafeInteger(value);
    })
  );
}

/** Whether the checksum of a row is right, if it has one. */
function isWhole(table: string, row: Row): boolean {
  const beside = BESIDE[table];
  const { json, checksum } = row;
  if (!beside || json === null) return true;
  return isUnchanged({ json: String(json), checksum: Number(checksum) }, beside(row));
}

/** Removes the rows that refer to what is not there. */
function removeUnused(target: Database): void {
  type Broken = { readonly table: string; readonly rowid: number };
  for (const { table, rowid } of target.all<Broken>('PRAGMA foreign_key_check'))
    target.run(`DELETE FROM ${table} WHERE rowid = ?`, rowid);
  for (const statement of [
    `DELETE FROM text WHERE ${UNUSED.text}`,
    `UPDATE sqlite_sequence SET seq =
       max(seq, (SELECT coalesce(max(branch), 0) FROM entry)) WHERE name = 'session'`,
    'PRAGMA incremental_vacuum',
  ]) {
    target.execute(statement);
  }
}
