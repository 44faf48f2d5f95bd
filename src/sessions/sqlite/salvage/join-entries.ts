import { randomUUID } from 'node:crypto';
import { MISSING_ENTRY } from '../../store/index.ts';
import { type Database, insertEntry, type Segment, sharePath } from '../tables/index.ts';

/** An entry of the damaged file without its body, or a mark in the place of a lost one. */
interface Row {
  /** Undefined for a new mark, which is in no file yet. */
  readonly number?: number;
  readonly id: string;
  readonly parent: string | null;
  readonly branch: number;
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
}

interface Session {
  readonly number: number;
  readonly leaf: string | null;
  readonly seq: number;
  readonly at: number;
}

/**
 * Joins the copied entries to sessions, and returns how many of them have lost entries. Each entry names the one before
 * it, so a session is the path from its leaf. An entry `missing` stands in the place of each lost one, and one at the
 * end of a session that has lost its last ones.
 */
export function joinEntries(target: Database): number {
  const join = new Join(target);
  const sessions = target.all<Session>(
    'SELECT number, leaf, seq, created_at AS at FROM session ORDER BY number',
  );
  const places = [...sessions.map((session) => join.session(session)), ...join.adopted()];
  return places.filter((isWhole) => !isWhole).length;
}

class Join {
  readonly #target: Database;
  readonly #rows = new Map<string, Row>();
  /** The rows by their branch and number in the damaged file. */
  readonly #branches = new Map<number, Map<number, Row>>();
  /** What a session shared. It has no checksum, and is believed only where an entry is lost. */
  readonly #segments = new Map<number, Segment[]>();
  /** Where a row stands in the new file, and whether no entry up to it is lost. */
  readonly #placed = new Map<Row, { readonly branch: number; readonly isWhole: boolean }>();
  /** A number that neither a session nor a branch has had. */
  #unused: number;

  constructor(target: Database) {
    this.#target = target;
    for (const row of target.all<Row>(
      'SELECT number, id, parent, branch, seq, kind, at FROM entry ORDER BY branch, seq',
    )) {
      this.#rows.set(row.id, row);
      const branch = this.#branches.get(row.branch) ?? new Map<number, Row>();
      this.#branches.set(row.branch, branch.set(row.seq, row));
    }
    for (const { session, ...part } of target.all<Segment & { readonly session: number }>(
      'SELECT session, branch, last FROM segment ORDER BY last',
    ))
      this.#segments.set(session, [...(this.#segments.get(session) ?? []), part]);
    target.run('DELETE FROM segment');
    const most = target.get<{ number: number | null }>(
      'SELECT max(number) AS number FROM (SELECT number FROM session UNION ALL SELECT branch FROM entry)',
    );
    this.#unused = 1 + (most?.number ?? 0);
  }

  /** Returns whether the session has all its entries. */
  session(session: Session): boolean {
    const shared = this.#segments.get(session.number);
    return this.#place(session.number, this.#endOf(session, shared), shared);
  }

  /** Makes sessions of entries whose own one could not be read. Their ids and their ends are lost. */
  *adopted(): Generator<boolean> {
    const rows = [...this.#rows.values()].sort((a, b) => b.seq - a.seq);
    for (const last of rows) {
      if (this.#placed.has(last)) continue;
      const number = this.#unused++;
      const known = `recovered-${last.branch}`;
      const isTaken = this.#target.get('SELECT 1 FROM session WHERE id = ?', known);
      this.#target.run(
        `INSERT INTO session (number, id, title, seq, created_at, changed_at)
         SELECT ?, ?, 'Recovered', 0, min(at), max(at) FROM entry WHERE branch = ?`,
        ...[number, isTaken ? `recovered-${number}` : known, last.branch],
      );
      const end = this.#mark(randomUUID(), last.seq + 1, last);
      yield this.#place(number, end, this.#segments.get(last.branch));
    }
  }

  /** The last entry of a session. A mark if it is lost, undefined if there is none. */
  #endOf({ number, leaf, seq, at }: Session, shared: readonly Segment[] = []): Row | undefined {
    const named = leaf === null ? undefined : this.#rows.get(leaf);
    if (named || leaf === null) return named;
    const part = shared.at(-1);
    const last =
      [...(this.#branches.get(number)?.values() ?? [])].at(-1) ??
      (part && this.#rowAt(part.branch, part.last));
    // The name of the last entry may be what is damaged.
    if (last?.seq === seq) return last;
    if (last) return this.#mark(leaf, last.seq + 1, last, shared);
    // A number that damage has made large must not become as many entries.
    const end = Math.min(part?.last ?? 1, this.#rows.size + 1);
    return this.#mark(leaf, Math.max(end, 1), { branch: number, at }, shared);
  }

  /** The entry before another one. A mark if it is lost, undefined if there is none. */
  #before(row: Row, shared?: readonly Segment[]): Row | undefined {
    const { parent, branch, seq } = row;
    if (parent === null) return;
    const named = this.#rows.get(parent);
    if (named?.seq === seq - 1) return named;
    // What was marked by an earlier version has another name.
    const there = this.#rowAt(branch, seq - 1, shared);
    return there?.kind === MISSING_ENTRY ? there : this.#mark(parent, seq - 1, row, shared);
  }

  /** Marks a lost entry beside another one. */
  #mark(
    name: string,
    seq: number,
    { branch, at }: Pick<Row, 'branch' | 'at'>,
    shared?: readonly Segment[],
  ): Row {
    const before = this.#rowAt(branch, seq - 1, shared);
    const parent = before?.id ?? (seq > 1 ? randomUUID() : null);
    // The end of a session that has lost its last entries may have the name, at an earlier place.
    const id = this.#rows.has(name) ? randomUUID() : name;
    const mark = { id, parent, branch: before?.branch ?? branch, seq, kind: MISSING_ENTRY, at };
    this.#rows.set(id, mark);
    return mark;
  }

  /** The row with a number in a branch, or in the one that a session shares there. */
  #rowAt(branch: number, seq: number, shared: readonly Segment[] = []): Row | undefined {
    const above = shared.find(({ last }) => last >= seq)?.branch ?? branch;
    return this.#branches.get(branch)?.get(seq) ?? this.#branches.get(above)?.get(seq);
  }

  /** Lets a session have the entries up to `end`. Those that no other one has got before become its own branch. */
  #place(number: number, end: Row | undefined, shared?: readonly Segment[]): boolean {
    const own: Row[] = [];
    let row = end;
    while (row && !this.#placed.has(row)) {
      own.push(row);
      row = this.#before(row, shared);
    }
    const branch = this.#branchFor(number, own);
    this.#target.run(
      'UPDATE session SET number = ?, leaf = ?, seq = ? WHERE number = ?',
      ...[branch, end?.id ?? null, end?.seq ?? 0, number],
    );
    const before = row && this.#placed.get(row);
    if (row && before) sharePath(this.#target, branch, { branch: before.branch, seq: row.seq });
    let isWhole = before?.isWhole ?? true;
    for (const each of own.reverse()) {
      isWhole &&= each.kind !== MISSING_ENTRY;
      this.#placed.set(each, { branch, isWhole });
      if (each.number === undefined) insertEntry(this.#target, branch, { ...each, body: {} });
      else if (each.branch !== branch)
        this.#target.run('UPDATE entry SET branch = ? WHERE number = ?', branch, each.number);
    }
    return isWhole;
  }

  /** The number of the branch of these entries: that of their session, or a new one if others have a part of that branch. */
  #branchFor(number: number, own: readonly Row[]): number {
    const size = this.#branches.get(number)?.size ?? 0;
    const copied = own.filter((row) => row.number !== undefined && row.branch === number);
    if (copied.length === size) return number;
    this.#target.run('UPDATE inbox SET session = ? WHERE session = ?', this.#unused, number);
    return this.#unused++;
  }
}
