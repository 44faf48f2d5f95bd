import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from '../../scripts/figures.ts';
import { searchPicture } from '../../scripts/search-picture.ts';
import { searchSummary } from '../../scripts/search-summary.ts';

const page = new URL('../../docs/contributing/measurements.md', import.meta.url);
const usersPage = new URL('../../docs/search.md', import.meta.url);
const picture = new URL('../../docs/search.svg', import.meta.url);

/** Writes a table into its region of docs/contributing/measurements.md. */
export function writeTable(region: string, table: string): void {
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), region, table.trimEnd()));
}

/** Makes the picture and the short table of docs/search.md from the written tables. */
export function writeSummary(): void {
  const measured = readFileSync(page, 'utf8');
  writeFileSync(picture, searchPicture(measured));
  const short = searchSummary(measured);
  writeFileSync(usersPage, withTable(readFileSync(usersPage, 'utf8'), 'search-summary', short));
}
