import { errorMessage, ToolfoldError } from '../../errors.ts';
import { formatCount } from '../../tools/values/index.ts';
import { checkWhole } from '../store/index.ts';
import { type Database, findText, readEntries, UNUSED } from './tables/index.ts';

/** What a check has found. `note`: worth knowing, and nothing is wrong. */
export interface Finding {
  /** What was checked, in one or two words. */
  readonly check: string;
  readonly state: 'ok' | 'note' | 'problem' | 'repaired';
  /** One sentence. */
  readonly text: string;
  /** What the user can do about a problem. */
  readonly remedy?: string;
}

/** The remedy of problems that a repair removes without a loss. */
export const REPAIR = 'Repair it with --repair.';

/** Most problems of one kind that are named. */
const MOST_NAMED = 5;
const EXPORT = 'Export the sessions that can be read: toolfold sessions export ID.';

/** Whether SQLite finds its own structures whole. */
function checkIntegrity(database: Database): Finding {
  const rows = database.all<Record<string, string>>('PRAGMA integrity_check(20)');
  const problems = rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
  const links = database.all('PRAGMA foreign_key_check').length;
  if (links > 0) problems.push(`${formatCount(links, 'row')} without the row they belong to`);
  const check = 'integrity';
  if (problems.length === 0) return { check, state: 'ok', text: 'The file is whole.' };
  const text = `The file is damaged: ${named(problems)}.`;
  return { check, state: 'problem', text, remedy: EXPORT };
}

/** Whether all entries and texts are there as they were written, in order. */
function checkEntries(database: Database): Finding {
  const sessions = database.all<{ id: string }>('SELECT id FROM session ORDER BY number');
  const problems: string[] = [];
  const trying = (work: () => void) => {
    try {
      work();
    } catch (error) {
      problems.push(problemOf(error));
    }
  };
  let count = 0;
  for (const { id } of sessions) {
    trying(() => {
      const entries = readEntries(database, id);
      count += entries.length;
      checkWhole(entries, id);
    });
  }
  for (const { address } of database.all<{ address: string }>('SELECT address FROM text'))
    trying(() => findText(database, address));
  const check = 'entries';
  if (problems.length > 0)
    return { check, state: 'problem', text: `${named(problems)}.`, remedy: EXPORT };
  const text = `${formatCount(sessions.length, 'session')} can be read whole (entries: ${count}).`;
  return { check, state: 'ok', text };
}

/** What is wrong, without the advice of the error. */
function problemOf(error: unknown): string {
  const text = errorMessage(error);
  return error instanceof ToolfoldError ? text.slice(0, -error.hint.length) : text;
}

function named(problems: readonly string[]): string {
  const shown = problems.slice(0, MOST_NAMED).map((text) => text.replace(/[.\s]+$/, ''));
  const rest = problems.length - shown.length;
  return `${shown.join('; ')}${rest === 0 ? '' : `; and ${rest} more`}`;
}

/** What the rows are called that nothing may refer to any more, by table. */
const ROWS = {
  entry: ['entry that no session has', 'entries that no session has'],
  text: ['text that no entry has', 'texts that no entry has'],
} as const;

/** Whether there are rows that no session has. `repair` removes them. */
function checkUnused(database: Database, isRepairing: boolean): Finding {
  const check = 'unused rows';
  const tables = ['entry', 'text'] as const;
  const problems = tables.flatMap((table) => {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${UNUSED[table]}`;
    const { count = 0 } = database.get<{ count: number }>(sql) ?? {};
    const [noun, nouns] = ROWS[table];
    return count === 0 ? [] : [`${count} ${count === 1 ? noun : nouns}`];
  });
  if (problems.length === 0) return { check, state: 'ok', text: 'There are none.' };
  const text = `There are ${problems.join(' and ')}.`;
  if (!isRepairing) return { check, state: 'problem', text, remedy: REPAIR };
  database.write(() => {
    for (const table of tables) database.run(`DELETE FROM ${table} WHERE ${UNUSED[table]}`);
    database.execute('PRAGMA incremental_vacuum');
  });
  return { check, state: 'repaired', text: `${text} They were removed.` };
}

/** Whether the parent of each subagent's session is there. `repair` keeps them, because they hold work. */
function checkParents(database: Database): Finding {
  const check = 'parents';
  const orphans = database.all<{ id: string }>(
    `SELECT id FROM session WHERE parent IS NOT NULL
     AND parent NOT IN (SELECT id FROM session) ORDER BY number`,
  );
  if (orphans.length === 0) return { check, state: 'ok', text: 'No session has lost its parent.' };
  const ids = orphans.map(({ id }) => id);
  const text = `The parent of ${formatCount(ids.length, 'session')} is gone: ${ids.join(', ')}.`;
  const remedy = 'Look at it with toolfold sessions show ID, and remove it with rm ID.';
  return { check, state: 'problem', text, remedy };
}

/** The checks of the content of a file. Those behind the first one need the tables of the present version. */
export const CONTENT_CHECKS: readonly ((database: Database, isRepairing: boolean) => Finding)[] = [
  checkIntegrity,
  checkEntries,
  checkUnused,
  checkParents,
];
