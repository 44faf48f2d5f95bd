import { randomUUID } from 'node:crypto';
import { MISSING_ENTRY } from '../../store/index.ts';
import { type Database, insertEntry } from '../tables/index.ts';
import {
  lastRow,
  type Part,
  partsOf,
  partUpTo,
  ROW,
  type Row,
  rowAt,
  type SessionEnd,
} from './paths.ts';

const SESSIONS = 'SELECT number, leaf, seq FROM session';

/**
 * Puts an entry `missing` in the place of each entry that a session has lost, and one at its end if its
 * last entries are lost. So each session can be read to its end, and who reads it sees the gap. Returns
 * how many sessions have one.
 */
export function markLost(target: Database): number {
  // A number of which damage made a large one must not become as many entries.
  target.run(`UPDATE segment SET last =
    max(1, min(last, (SELECT coalesce(max(seq), 0) + 1 FROM entry)))`);
  renumber(target);
  const paths = new Map<number, readonly Part[]>();
  const place = (condition: string) => {
    for (const each of target.all<SessionEnd>(`${SESSIONS} ${condition}`))
      paths.set(each.number, partsOf(target, each));
  };
  place('');
  adoptBranches(target);
  place("WHERE leaf = ''");
  /** The last number that was looked at in a branch: sessions share them. */
  const done = new Map<number, number>();
  for (const [number, parts] of paths) {
    for (const part of parts) {
      const { branch, last } = part;
      const known = done.get(branch) ?? 0;
      if (known >= last) continue;
      fillGaps(
        target,
        known === 0 ? part : { ...part, from: known + 1, above: { branch, last: known } },
      );
      done.set(branch, last);
    }
    const end = parts.at(-1);
    const { id = null, seq = 0 } = (end && rowAt(target, end)) ?? {};
    target.run('UPDATE session SET leaf = ?, seq = ? WHERE number = ?', id, seq, number);
  }
  const row = target.get<{ count: number }>(
    `WITH gap AS MATERIALIZED (SELECT branch, seq FROM entry WHERE kind = ?)
     SELECT count(DISTINCT number) AS count FROM gap JOIN (
       SELECT number, number AS branch, seq AS last FROM session
       UNION ALL SELECT session, branch, last FROM segment
     ) USING (branch) WHERE gap.seq <= last`,
    MISSING_ENTRY,
  );
  return row?.count ?? 0;
}

/**
 * Gives a session the number of the branch that its last entry ends, or a new one if its own number is that
 * of a branch with other entries: the number of its row is damage then.
 */
function renumber(target: Database): void {
  for (const { number, leaf, seq } of target.all<SessionEnd>(SESSIONS)) {
    const end = partUpTo(target, leaf);
    if (end?.branch === number || (!end && seq > 0)) continue;
    const isOwn = end !== undefined && lastRow(target, end.branch)?.id === leaf;
    const isFree = isOwn && !target.get('SELECT 1 FROM session WHERE number = ?', end.branch);
    if (!isFree && !lastRow(target, number)) continue;
    const unused = `SELECT 1 + max(number) FROM (SELECT number FROM session
      UNION ALL SELECT branch FROM entry UNION ALL SELECT session FROM segment)`;
    target.run(
      `UPDATE session SET number = coalesce(?, (${unused})) WHERE number = ?`,
      ...[isFree ? end.branch : null, number],
    );
  }
}

/** Makes sessions of branches whose own one could not be read. Their ids and their ends are lost. */
function adoptBranches(target: Database): void {
  target.run(
    `INSERT INTO session (number, id, title, leaf, seq, created_at, changed_at)
     SELECT branch, 'recovered-' || branch, 'Recovered', '', 0, min(at), max(at) FROM entry
     WHERE branch NOT IN (SELECT number FROM session)
       AND seq > (SELECT coalesce(max(last), 0) FROM segment WHERE segment.branch = entry.branch)
     GROUP BY branch`,
  );
}

/** Marks the entries of a part that are not there. */
function fillGaps(target: Database, { branch, from, last: to, above }: Part): void {
  const rows = target.all<Row>(`${ROW} AND seq BETWEEN ? AND ? ORDER BY seq`, branch, from, to);
  const { id = null, kind = '', at = rows[0]?.at ?? 0 } = (above && rowAt(target, above)) ?? {};
  let last: Omit<Row, 'id'> & { readonly id: string | null } = {
    ...{ id, parent: null, seq: from - 1, kind, at },
  };
  const fill = (end: number) => {
    while (last.seq < end) {
      const { id: parent, seq, at } = last;
      const mark = { id: randomUUID(), parent, seq: seq + 1, kind: MISSING_ENTRY, at };
      insertEntry(target, branch, { ...mark, body: {} });
      last = mark;
    }
  };
  for (const row of rows) {
    const isNext = row.seq === last.seq + 1 && last.kind !== MISSING_ENTRY;
    // An entry that does not follow is one of another branch, whose place is damaged.
    if (isNext && row.parent !== last.id) {
      target.run('DELETE FROM entry WHERE id = ?', row.id);
      continue;
    }
    fill(row.seq - 1);
    last = row;
  }
  fill(to);
}
