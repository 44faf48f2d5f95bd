import { formatCount } from '../../tools/values/index.ts';
import { type Database, UNUSED } from '../sqlite/index.ts';
import { type Finding, REPAIR } from './finding.ts';

/** The tables with rows that nothing may refer to any more. */
const TABLES = [
  { table: 'entry', noun: 'entry that no session has', nouns: 'entries that no session has' },
  { table: 'text', noun: 'text that no entry has', nouns: 'texts that no entry has' },
] as const;

/** Whether there are rows that no session has. `repair` removes them. */
export function checkUnused(database: Database, isRepairing: boolean): Finding {
  const check = 'unused rows';
  const found = () =>
    TABLES.flatMap(({ table, noun, nouns }) => {
      const sql = `SELECT count(*) AS count FROM ${table} WHERE ${UNUSED[table]}`;
      const { count = 0 } = database.get<{ count: number }>(sql) ?? {};
      return count === 0 ? [] : [`${count} ${count === 1 ? noun : nouns}`];
    });
  const problems = found();
  if (problems.length === 0) return { check, state: 'ok', text: 'There are none.' };
  const text = `There are ${problems.join(' and ')}.`;
  if (!isRepairing) return { check, state: 'problem', text, remedy: REPAIR };
  database.write(() => {
    for (const { table } of TABLES) database.run(`DELETE FROM ${table} WHERE ${UNUSED[table]}`);
    database.execute('PRAGMA incremental_vacuum');
  });
  return { check, state: 'repaired', text: `${text} They were removed.` };
}

/** Whether the parent of each subagent's session is there. `repair` keeps them, because they hold work. */
export function checkParents(database: Database): Finding {
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
