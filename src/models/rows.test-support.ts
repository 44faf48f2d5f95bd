import assert from 'node:assert/strict';
import { matches } from '../tools/access/glob.ts';

/** What both tables' rows have in common. */
export interface Row {
  readonly provider: string;
  readonly model: string;
  readonly source: string;
  readonly date: string;
}

/** The day on which the tables were last gone over; a row cannot have been read later. */
const LAST_READ = '2026-11-22';

/** Fails on a row with an empty glob or source, or a date that is no day or lies ahead. */
export function assertWellFormed(row: Row): void {
  for (const text of [row.provider, row.model, row.source]) assert.ok(text.trim(), nameOf(row));
  assert.match(row.date, /^\d{4}-\d{2}-\d{2}$/, nameOf(row));
  assert.equal(new Date(row.date).toISOString().slice(0, 10), row.date, nameOf(row));
  assert.ok(row.date <= LAST_READ, nameOf(row));
}

/** The rows that can never be reached, since an earlier one matches whatever they match. */
export function unreachable(rows: readonly Row[]): string[] {
  return rows
    .filter((row, at) => rows.slice(0, at).some((earlier) => covers(earlier, row)))
    .map(nameOf);
}

function covers(earlier: Row, later: Row): boolean {
  return globCovers(earlier.provider, later.provider) && globCovers(earlier.model, later.model);
}

/** A wildcard is stood for by a character that no glob spells out: only a wildcard can match it. */
function globCovers(earlier: string, later: string): boolean {
  const longest = later.replaceAll('*', '\u0001\u0001').replaceAll('?', '\u0002');
  const shortest = later.replaceAll('*', '').replaceAll('?', '\u0002');
  return matches(earlier, longest) && matches(earlier, shortest);
}

function nameOf(row: Row): string {
  return `${row.provider} ${row.model}`;
}
