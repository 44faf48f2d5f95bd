import { isRecord, type JsonObject, parsedJson } from '../../../tools/values/index.ts';
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

/** Whether somebody watches the session of a lease. */
export function isWatched(database: Database, lease: Lease): boolean {
  const row = draftOf(database, leasedRow(database, lease).number);
  return row !== undefined && ageOf(row) < WATCH_TIME;
}

export function showDraft(database: Database, lease: Lease, draft: JsonObject | undefined): void {
  const { number } = leasedRow(database, lease);
  database.run(
    'UPDATE draft SET fence = ?, json = ? WHERE session = ?',
    ...[lease.fence, draft === undefined ? null : JSON.stringify(draft), number],
  );
}

/** What the holder shows. */
export function findDraft(database: Database, id: string): JsonObject | undefined {
  const row = sessionRow(database, id);
  const { json, fence } = draftOf(database, row.number) ?? {};
  if (typeof json !== 'string' || fence !== row.fence || !holderIn(row)) return;
  const draft = parsedJson(json);
  return isRecord(draft) ? (draft as JsonObject) : undefined;
}

/** Whether the holder of a session is to be told that somebody watches it. */
export function mustWatch(database: Database, id: string): boolean {
  const row = sessionRow(database, id);
  const known = draftOf(database, row.number);
  return holderIn(row) !== undefined && !(known && ageOf(known) < WATCH_TIME / 2);
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

/** Milliseconds since somebody watched. Never again what damage has made of it. */
function ageOf({ watched }: DraftRow): number {
  const moment = parsedJson(watched);
  return isRecord(moment) ? elapsed(moment as unknown as Moment, thisMoment()) : Number.NaN;
}
