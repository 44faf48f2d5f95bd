import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from '../../scripts/figures.ts';
import { searchPicture } from '../../scripts/search-picture.ts';

const page = new URL('../../docs/search.md', import.meta.url);
const picture = new URL('../../docs/search.svg', import.meta.url);

/** Writes the tables into their regions of docs/search.md, and draws docs/search.svg from the page. */
export function writePage(tables: ReadonlyMap<string, string>): void {
  let text = readFileSync(page, 'utf8');
  for (const [name, table] of tables) text = withTable(text, name, table.trimEnd());
  writeFileSync(page, text);
  writeFileSync(picture, searchPicture(text));
}
