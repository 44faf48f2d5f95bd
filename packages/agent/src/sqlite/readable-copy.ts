import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { plainCount } from '@toolfold/core/internal/values';
import { MISSING_ENTRY } from '../sessions/index.ts';
import { Database, type Value } from './database.ts';
import { indexWords, readEntries } from './entries.ts';
import { migrate } from './migrations.ts';
import { UNUSED } from './sessions.ts';
import { damaged, isFileDamage } from './sqlite-error.ts';

/** A table that is copied. Left out, its name and its columns are the same in the file. */
interface CopiedTable {
  readonly name: string;
  readonly from?: string;
  readonly columns?: readonly string[];
}

/** Messages and drafts are not copied: nobody takes them from a damaged file. */
const TABLES: readonly CopiedTable[] = [
  { name: 'session' },
  { name: 'entry' },
  { name: 'segment' },
  { name: 'text' },
  { name: 'new_words' },
  // The words that are in the search index.
  { name: 'new_words', from: 'words_content', columns: ['id', 'c0'] },
];

/** No row has a higher number. */
const LAST_ROW = 2 ** 40;
/** Rows that are tried one by one behind one that cannot be read. Then the steps grow. */
const STEPS = 1024;

/** What can be read of a damaged file, in a temporary file that is gone when it is closed. */
export interface ReadableCopy {
  /** Undefined if nothing can be read. */
  readonly database: Database | undefined;
  /** What can be read and what is lost, in sentences. */
  readonly report: string;
}

/** Copies each row that SQLite can still read. It uses no index, because indexes may not agree with their tables. */
export function readableCopy(source: Database): ReadableCopy {
  const database = new Database('', { name: source.file });
  try {
    database.pragma('foreign_keys = OFF');
    migrate(database);
    database.write(() => {
      for (const table of TABLES) copyTable(source, database, table);
      database.run('DELETE FROM new_words WHERE entry NOT IN (SELECT number FROM entry)');
      indexWords(database);
    });
    const report = reportOn(database);
    if (report !== undefined) return { database, report };
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return { database: undefined, report: 'Nothing in it can be read.' };
}

function copyTable(
  source: Database,
  target: Database,
  { name, from = name, columns = columnsOf(target, name) }: CopiedTable,
): void {
  const sql = `INSERT OR IGNORE INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`;
  for (const row of rowsOf(source, from, columns)) {
    try {
      target.run(sql, ...Object.values(row));
    } catch (error) {
      // A value that no such row has. The session that needs the row has a gap.
      const isOdd = error instanceof ToolfoldError && error.code === 'invalid-option';
      if (!isOdd && !isFileDamage(error)) throw error;
    }
  }
}

function columnsOf(database: Database, table: string): readonly string[] {
  const rows = database.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
  return rows.map(({ name }) => name);
}

type Row = Readonly<Record<string, Value>>;

/** The rows of a table that can be read, by their numbers, which are in the first column. */
function* rowsOf(source: Database, table: string, columns: readonly string[]): Generator<Row> {
  const [key = ''] = columns;
  const sql = `SELECT ${columns.join(', ')} FROM ${table} NOT INDEXED WHERE ${key} >= ? ORDER BY ${key}`;
  if (!isThere(source, table)) return;
  let last = 0;
  let next = 1;
  while (next <= LAST_ROW) {
    try {
      for (const row of source.each<Row>(sql, next)) {
        const number = Number(row[key]);
        if (!(number >= next)) throw damaged(source.file, `${table} is not in order`);
        last = number;
        next = number + 1;
        yield row;
      }
      return;
    } catch (error) {
      if (!isFileDamage(error)) throw error;
      next += 1 + Math.floor((next - last) / STEPS);
    }
  }
}

/** Whether SQLite still knows a table. */
function isThere(source: Database, table: string): boolean {
  try {
    source.get(`SELECT 1 FROM ${table} LIMIT 0`);
    return true;
  } catch (error) {
    if (!isFileDamage(error)) throw error;
    return false;
  }
}

/** Undefined if nothing was read. */
function reportOn(database: Database): string | undefined {
  const ids = database.all<{ id: string }>('SELECT id FROM session').map(({ id }) => id);
  const lost = ids.filter((id) =>
    readEntries(database, id).some(({ kind }) => kind === MISSING_ENTRY),
  ).length;
  const sql = `SELECT count(*) AS count FROM entry WHERE ${UNUSED.entry}`;
  const others = database.get<{ count: number }>(sql)?.count ?? 0;
  if (ids.length + others === 0) return;
  return [
    `${plainCount(ids.length, 'session')} can be read.`,
    ...(lost === 0 ? [] : [`Entries of ${plainCount(lost, 'session')} are lost.`]),
    ...(others === 0
      ? []
      : [
          others === 1
            ? 'One more entry is of a session that cannot be read.'
            : `${others} more entries are of sessions that cannot be read.`,
        ]),
  ].join(' ');
}
