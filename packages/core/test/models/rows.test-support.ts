import assert from 'node:assert/strict';
import { matchesGlob } from '../../src/values/glob.ts';

/** The fields that the rows of both tables share. */
export interface Row {
  readonly provider: string;
  readonly model: string;
  readonly source: string;
  readonly date: string;
}

/** The day of the last review of the tables. No row may have a later date. */
const LAST_READ = '2026-11-28';

/** Fails on a row with an empty glob or source, an invalid date, or a date after the last review. */
export function assertWellFormed(row: Row): void {
  for (const text of [row.provider, row.model, row.source]) assert.ok(text.trim(), nameOf(row));
  assert.match(row.date, /^\d{4}-\d{2}-\d{2}$/, nameOf(row));
  assert.equal(new Date(row.date).toISOString().slice(0, 10), row.date, nameOf(row));
  assert.ok(row.date <= LAST_READ, nameOf(row));
}

/** The rows that can never match, because an earlier row matches the same models. */
export function unreachable(rows: readonly Row[]): string[] {
  return rows
    .filter((row, at) => rows.slice(0, at).some((earlier) => covers(earlier, row)))
    .map(nameOf);
}

function covers(earlier: Row, later: Row): boolean {
  return globCovers(earlier.provider, later.provider) && globCovers(earlier.model, later.model);
}

/** Replaces each wildcard by a character that no glob contains, so that only a wildcard can match it. */
function globCovers(earlier: string, later: string): boolean {
  const longest = later.replaceAll('*', '\u0001\u0001').replaceAll('?', '\u0002');
  const shortest = later.replaceAll('*', '').replaceAll('?', '\u0002');
  return matchesGlob(earlier, longest) && matchesGlob(earlier, shortest);
}

function nameOf(row: Row): string {
  return `${row.provider} ${row.model}`;
}
