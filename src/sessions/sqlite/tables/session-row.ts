import { isLeaseFree, type Owner, type SessionRecord, unknownSession } from '../../store/index.ts';
import { type Database, damaged } from '../database/index.ts';

export const COLUMNS: string =
  'number, id, leaf, seq, created_at, changed_at, title, folder, parent, fork_of, fence, ' +
  // An owner that damage has changed is none.
  'iif(json_valid(owner), owner, NULL) AS owner, renewed_at';

/** A row of the table `session`. */
export interface SessionRow {
  readonly number: number;
  readonly id: string;
  readonly leaf: string | null;
  readonly seq: number;
  readonly created_at: number;
  readonly changed_at: number;
  readonly title: string | null;
  readonly folder: string | null;
  readonly parent: string | null;
  readonly fork_of: string | null;
  readonly fence: number;
  readonly owner: string | null;
  readonly renewed_at: number;
}

export function findSession(database: Database, id: string): SessionRow | undefined {
  const row = database.get<SessionRow>(`SELECT ${COLUMNS} FROM session WHERE id = ?`, id);
  if (row && row.id !== id) throw damaged(database.file, `the session "${id}" has another id`);
  return row;
}

export function sessionRow(database: Database, id: string): SessionRow {
  const row = findSession(database, id);
  if (!row) throw unknownSession(id);
  return row;
}

export function recordOf(row: SessionRow): SessionRecord {
  const { id, leaf, seq, title, folder, parent } = row;
  return {
    id,
    leaf,
    seq,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    ...(title === null ? {} : { title }),
    ...(folder === null ? {} : { folder }),
    ...(parent === null ? {} : { parent }),
    ...(row.fork_of === null ? {} : { forkOf: row.fork_of }),
  };
}

/** The owner of the lease in a row, if the lease is not free. */
export function holderIn({ owner, renewed_at: renewedAt }: SessionRow): Owner | undefined {
  if (owner === null) return undefined;
  const state = { owner: JSON.parse(owner) as Owner, renewedAt };
  return isLeaseFree(state, Date.now()) ? undefined : state.owner;
}
