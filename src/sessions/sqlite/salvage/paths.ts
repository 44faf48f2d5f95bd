import { MISSING_ENTRY } from '../../store/index.ts';
import type { Database, EntryRow, Segment } from '../tables/index.ts';

export type Row = Omit<EntryRow, 'json' | 'checksum'>;
export type SessionEnd = Readonly<Record<'number' | 'seq', number>> & {
  readonly leaf: string | null;
};

/** A part of a session: the entries of a branch from one number to another. */
export interface Part extends Segment {
  readonly from: number;
  /** The part before it. */
  readonly above: Segment | undefined;
}

/** Entries of a branch, without their bodies. */
export const ROW = 'SELECT id, parent, seq, kind, at FROM entry WHERE branch = ?';

/**
 * The parts of a session, whose segments are written again. The last one ends with one entry more than
 * there is if the last entries of the session are lost.
 */
export function partsOf(target: Database, session: SessionEnd): readonly Part[] {
  const { number, leaf, seq } = session;
  const shared = sharedParts(target, session);
  target.run('DELETE FROM segment WHERE session = ?', number);
  const insert = 'INSERT INTO segment (session, branch, last) VALUES (?, ?, ?)';
  for (const part of shared) target.run(insert, number, part.branch, part.last);
  const sharedEnd = shared.at(-1);
  const end = lastRow(target, number) ?? (sharedEnd && rowAt(target, sharedEnd));
  const last = end?.seq ?? sharedEnd?.last ?? 0;
  // Either of the two may be damage. A shared entry that is lost gets its mark anyway.
  const isEnd = end ? end.id === leaf || last === seq : last > 0 || leaf === null || seq === 0;
  const parts: Part[] = [];
  for (const part of [...shared, { branch: number, last: isEnd ? last : last + 1 }]) {
    const above = parts.at(-1);
    const from = (above?.last ?? 0) + 1;
    if (from <= part.last) parts.push({ ...part, from, above });
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

export function rowAt(target: Database, { branch, last }: Segment): Row | undefined {
  return target.get(`${ROW} AND seq = ?`, branch, last);
}

function firstRow(target: Database, branch: number): Row | undefined {
  return target.get(`${ROW} ORDER BY seq LIMIT 1`, branch);
}

export function lastRow(target: Database, branch: number): Row | undefined {
  return target.get(`${ROW} ORDER BY seq DESC LIMIT 1`, branch);
}

/** Where an entry stands: the part that it is the last one of. */
export function partUpTo(target: Database, id: string | null): Segment | undefined {
  return target.get('SELECT branch, seq AS last FROM entry WHERE id = ?', id);
}
