import { isLeaseFree, type Owner, type SessionRecord, unknownSession } from '../../store/index.ts';
import { type Database, damaged, type Value } from '../database/index.ts';

const COLUMNS =
  'number, id, leaf, seq, created_at AS createdAt, changed_at AS changedAt, title, folder, parent, ' +
  // An owner that damage has changed is none.
  'fork_of AS forkOf, fence, iif(json_valid(owner), owner, NULL) AS owner, renewed_at AS renewedAt';

const OPTIONAL = ['title', 'folder', 'parent', 'forkOf'] as const;
type Optional = (typeof OPTIONAL)[number];

/** A row of the table `session`. */
export interface SessionRow
  extends Omit<SessionRecord, Optional>,
    Readonly<Record<Optional, string | null>> {
  readonly number: number;
  readonly fence: number;
  readonly owner: Owner | null;
  readonly renewedAt: number;
}

/** The sessions that meet a condition of SQL. */
export function sessionRows(
  database: Database,
  condition: string,
  ...values: readonly Value[]
): readonly SessionRow[] {
  return database
    .all<Omit<SessionRow, 'owner'> & { readonly owner: string | null }>(
      `SELECT ${COLUMNS} FROM session ${condition}`,
      ...values,
    )
    .map((row) => ({ ...row, owner: row.owner && JSON.parse(row.owner) }));
}

export function findSession(database: Database, id: string): SessionRow | undefined {
  const [row] = sessionRows(database, 'WHERE id = ?', id);
  if (row && row.id !== id) throw damaged(database.file, `the session "${id}" has another id`);
  return row;
}

export function sessionRow(database: Database, id: string): SessionRow {
  const row = findSession(database, id);
  if (!row) throw unknownSession(id);
  return row;
}

export function recordOf(row: SessionRow): SessionRecord {
  const { id, leaf, seq, createdAt, changedAt } = row;
  const known = OPTIONAL.filter((key) => row[key] !== null).map((key) => [key, row[key]]);
  return { id, leaf, seq, createdAt, changedAt, ...Object.fromEntries(known) };
}

export function findRecord(database: Database, id: string): SessionRecord | undefined {
  const row = findSession(database, id);
  return row && recordOf(row);
}

/** The owner of the lease in a row, if the lease is not free. */
export function holderIn({ owner, renewedAt }: SessionRow): Owner | undefined {
  return owner && !isLeaseFree({ owner, renewedAt }, Date.now()) ? owner : undefined;
}

export function findHolder(database: Database, id: string): Owner | undefined {
  return holderIn(sessionRow(database, id));
}
