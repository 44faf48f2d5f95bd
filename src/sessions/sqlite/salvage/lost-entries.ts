import { randomUUID } from 'node:crypto';
import { MISSING_ENTRY } from '../../store/index.ts';
import type { Database } from '../database/index.ts';
import { besideBody, type EntryRow, type Segment, written } from '../tables/index.ts';

type Row = Omit<EntryRow, 'json' | 'checksum'>;
type SessionEnd = Readonly<Record<'number' | 'seq', number>> & { readonly leaf: string | null };

/** A part of a session: the entries of a branch from one number to another. */
interface Part extends Segment {
  readonly from: number;
  /** The part before it. */
  readonly above: Segment | undefined;
}

const SESSIONS = 'SELECT number, leaf, seq FROM session';
const ROW = 'SELECT id, parent, seq, kind, at FROM entry WHERE branch = ?';

/**
 * Puts an entry `missing` in the place of each entry that a session has lost, and one at its end if its
 * last entries are lost. So each session can be read to its end, and who reads it sees the gap. Returns
 * how many sessions have one.
 */
export function markLost(target: Database): number {
  // A number of which damage made a large one must not become as many entries.
  target.run(`UPDATE segment SET last =
    max(1, min(last, (SELECT coalesce(max(seq), 0) + 1 FROM entry)))`);
  const paths = new Map<number, readonly Part[]>();
  const place = (condition: string) => {
    for (const each of target.all<SessionEnd>(`${SESSIONS} ${condition}`))
      paths.set(each.number, partsOf(target, each));
  };
  renumber(target);
  place('');
  adoptBranches(target);
  place("WHERE leaf = ''");
  const lost = fillGaps(target, [...paths.values()].flat());
  let incomplete = 0;
  for (const [number, parts] of paths) {
    const end = parts.at(-1);
    const { id: leaf = null, seq = 0 } = (end && rowAt(target, end)) ?? {};
    target.run('UPDATE session SET leaf = ?, seq = ? WHERE number = ?', leaf, seq, number);
    const isIncomplete = parts.some((part) =>
      lost.get(part.branch)?.some((seq) => seq >= part.from && seq <= part.last),
    );
    if (isIncomplete) incomplete++;
  }
  return incomplete;
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

/** The parts of a session, whose segments are written again. */
function partsOf(target: Database, session: SessionEnd): readonly Part[] {
  const { number, leaf, seq } = session;
  const shared = sharedParts(target, session);
  target.run('DELETE FROM segment WHERE session = ?', number);
  for (const { branch, last } of shared) {
    target.run(
      'INSERT INTO segment (session, branch, last) VALUES (?, ?, ?)',
      number,
      branch,
      last,
    );
  }
  const sharedEnd = shared.at(-1);
  const end = lastRow(target, number) ?? (sharedEnd && rowAt(target, sharedEnd));
  const last = end?.seq ?? sharedEnd?.last ?? 0;
  // One of the two may be damage. Where an entry is lost at the end anyway, it gets its mark.
  const isEnd = end ? end.id === leaf || last === seq : last > 0 || leaf === null || seq === 0;
  const parts: Part[] = [];
  for (const { branch, last: to } of [
    ...shared,
    { branch: number, last: isEnd ? last : last + 1 },
  ]) {
    const above = parts.at(-1);
    const from = (above?.last ?? 0) + 1;
    if (from <= to) parts.push({ branch, from, last: to, above });
  }
  return parts;
}

/**
 * What a session shares. The first entry of a branch names the one before it, and so says where the part
 * before ends. Segments have no checksum: they are believed only where that entry is lost.
 */
function sharedParts(target: Database, { number, leaf, seq }: SessionEnd): readonly Segment[] {
  const known = target.all<Segment>(
    'SELECT branch, last FROM segment WHERE session = ? ORDER BY last',
    number,
  );
  const parts: Segment[] = [];
  const own = firstRow(target, number);
  let id = own ? own.parent : leaf;
  let limit = own ? own.seq - 1 : (partUpTo(target, leaf)?.last ?? seq);
  const isPossible = (segment: Segment) => {
    const { branch, last } = segment;
    if (last > limit || branch === number || parts.some((part) => part.branch === branch))
      return false;
    // An entry that is there at the limit is another one than the lost one.
    return last < limit || (rowAt(target, segment)?.kind ?? MISSING_ENTRY) === MISSING_ENTRY;
  };
  while (limit > 0) {
    const named = partUpTo(target, id);
    const part = named && named.last <= limit ? named : known.findLast(isPossible);
    if (!part) break;
    parts.unshift(part);
    const first = firstRow(target, part.branch);
    const isThere = first !== undefined && first.seq <= part.last;
    id = isThere ? first.parent : null;
    limit = (isThere ? first.seq : part.last) - 1;
  }
  return parts;
}

/** Marks the entries of parts that are not there. Returns the numbers of all marks, by branch. */
function fillGaps(
  target: Database,
  parts: readonly Part[],
): ReadonlyMap<number, readonly number[]> {
  // Sessions share parts. Each entry is looked at once, and behind those before it.
  const wanted = new Map<number, Part>();
  for (const part of parts) {
    const known = wanted.get(part.branch) ?? part;
    const first = known.from <= part.from ? known : part;
    wanted.set(part.branch, { ...first, last: Math.max(known.last, part.last) });
  }
  return new Map([...wanted].map(([branch, part]) => [branch, fillPart(target, part)]));
}

function fillPart(target: Database, { branch, from, last: to, above }: Part): readonly number[] {
  const rows = target.all<Row>(`${ROW} AND seq BETWEEN ? AND ? ORDER BY seq`, branch, from, to);
  const lost: number[] = [];
  const before = above && rowAt(target, above)?.id;
  let last = { id: before ?? null, seq: from - 1, at: rows[0]?.at ?? 0, isMark: true };
  const fill = (end: number) => {
    while (last.seq < end) {
      const seq = last.seq + 1;
      const mark = { id: randomUUID(), parent: last.id, seq, kind: MISSING_ENTRY, at: last.at };
      const { json, checksum } = written({}, besideBody(mark));
      target.run(
        `INSERT INTO entry (branch, id, parent, seq, kind, at, json, checksum)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[branch, ...Object.values(mark), json, checksum],
      );
      lost.push(seq);
      last = { ...mark, isMark: true };
    }
  };
  for (const row of rows) {
    // An entry of another branch, whose place is damaged.
    if (row.seq === last.seq + 1 && !last.isMark && row.parent !== last.id) {
      target.run('DELETE FROM entry WHERE id = ?', row.id);
      continue;
    }
    fill(row.seq - 1);
    const isMark = row.kind === MISSING_ENTRY;
    if (isMark) lost.push(row.seq);
    last = { ...row, isMark };
  }
  fill(to);
  return lost;
}

function rowAt(target: Database, { branch, last }: Segment): Row | undefined {
  return target.get(`${ROW} AND seq = ?`, branch, last);
}

function firstRow(target: Database, branch: number): Row | undefined {
  return target.get(`${ROW} ORDER BY seq LIMIT 1`, branch);
}

function lastRow(target: Database, branch: number): Row | undefined {
  return target.get(`${ROW} ORDER BY seq DESC LIMIT 1`, branch);
}

/** Where an entry stands: the part that it is the last one of. */
function partUpTo(target: Database, id: string | null): Segment | undefined {
  return target.get('SELECT branch, seq AS last FROM entry WHERE id = ?', id);
}
