import { isRecord, type JsonObject, parsedJson } from '@toolfold/core/internal/tools/values';
import { elapsed, type Lease, type Moment, thisMoment, WATCH_TIME } from '../../store/index.ts';
import type { Database } from './database.ts';
import { leasedRow } from './leases.ts';
import { holderIn, sessionRow } from './sessions.ts';

/** What the holder of a session shows, and who watches it. */
interface DraftRow {
  /** When somebody watched last, as JSON. */
  readonly watched: string;
  readonly fence: number;
  /** Null if nothing is shown. */
  readonly json: string | null;
}

/** Whether somebody has watched a session, by its number, in the last milliseconds. */
export function isWatched(database: Database, session: number, time: number = WATCH_TIME): boolean {
  const moment = parsedJson(draftOf(database, session)?.watched ?? '');
  // Never again what damage has made of it.
  return isRecord(moment) && elapsed(moment as unknown as Moment, thisMoment()) < time;
}

export function showDraft(database: Database, lease: Lease, draft: JsonObject | undefined): void {
  const { number } = leasedRow(database, lease);
  database.run(
    'UPDATE draft SET fence = ?, json = ? WHERE session = ?',
    ...[lease.fence, draft === undefined ? null : JSON.stringify(draft), number],
  );
}

/** What the holder shows, and whether it is to be told that somebody watches. */
export function findDraft(
  database: Database,
  id: string,
): { readonly draft: JsonObject | undefined; readonly mustNote: boolean } {
  const row = sessionRow(database, id);
  if (!holderIn(row)) return { draft: undefined, mustNote: false };
  const known = draftOf(database, row.number);
  const draft = known?.fence === row.fence ? parsedJson(known.json ?? '') : undefined;
  return {
    draft: isRecord(draft) ? (draft as JsonObject) : undefined,
    mustNote: !isWatched(database, row.number, WATCH_TIME / 2),
  };
}

export function noteWatch(database: Database, id: string): void {
  const row = sessionRow(database, id);
  database.run(
    `INSERT INTO draft (session, watched, fence) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET watched = excluded.watched`,
    ...[row.number, JSON.stringify(thisMoment()), row.fence],
  );
}

function draftOf(database: Database, session: number): DraftRow | undefined {
  return database.get('SELECT watched, fence, json FROM draft WHERE session = ?', session);
}
