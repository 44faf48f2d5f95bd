import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from '../../scripts/figures.ts';
import { searchPicture } from '../../scripts/search-picture.ts';

const page = new URL('../../docs/search.md', import.meta.url);
const picture = new URL('../../docs/search.svg', import.meta.url);

/** Writes a table into its region of docs/search.md. */
export function writeTable(region: string, table: string): void {
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), region, table.trimEnd()));
}

/** Draws docs/search.svg from the tables of docs/search.md. */
export function drawPicture(): void {
  writeFileSync(picture, searchPicture(readFileSync(page, 'utf8')));
}
