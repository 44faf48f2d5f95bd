import { formatCount } from '../../tools/values/index.ts';
import type { Database } from '../sqlite/index.ts';
import { type Finding, REPAIR } from './finding.ts';

/** Rows that nothing refers to any more, and the condition by which they are found. */
const UNUSED = [
  {
    noun: 'entry that no session has',
    nouns: 'entries that no session has',
    table: 'entry',
    where: `seq > max(
      coalesce((SELECT session.seq FROM session WHERE session.number = entry.branch), 0),
      coalesce((SELECT max(last) FROM segment WHERE segment.branch = entry.branch), 0))`,
  },
  {
    noun: 'text that no entry has',
    nouns: 'texts that no entry has',
    table: 'text',
    where: 'NOT EXISTS (SELECT 1 FROM text_use WHERE text_use.text = text.number)',
  },
] as const;

/** Whether there are rows that no session has. `repair` removes them. */
export function checkUnused(database: Database, isRepairing: boolean): Finding {
  const check = 'unused rows';
  const found = () =>
    UNUSED.flatMap(({ noun, nouns, table, where }) => {
      const row = database.get<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
      );
      const count = row?.count ?? 0;
      return count === 0 ? [] : [`${count} ${count === 1 ? noun : nouns}`];
    });
  const problems = found();
  if (problems.length === 0) return { check, state: 'ok', text: 'There are none.' };
  const text = `There are ${problems.join(' and ')}.`;
  if (!isRepairing) return { check, state: 'problem', text, remedy: REPAIR };
  database.transaction(() => {
    for (const { table, where } of UNUSED) database.run(`DELETE FROM ${table} WHERE ${where}`);
    database.execute('PRAGMA incremental_vacuum');
  }, 'IMMEDIATE');
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
