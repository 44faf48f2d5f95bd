// test: slow
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REGIONS, runBench, withTable } from '../scripts/figures.ts';
import { picture } from '../scripts/picture.ts';
import { searchPicture } from '../scripts/search-picture.ts';
import { searchSummary } from '../scripts/search-summary.ts';
import { root } from './tree.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What the route of the README costs at most, as a share of the same tasks without Toolfold. */
const MOST = 35;

test('tables of figures equal the output of the benchmark', { timeout: 120_000 }, () => {
  const printed = runBench('tasks');
  // The other benchmarks take long; `npm run figures` writes their tables.
  const regions = REGIONS.filter(({ bench }) => bench === 'tasks');
  assert.ok(regions.length > 0);
  const share = /^ {2}auto +[\d,]+ +([\d.]+) %$/m.exec(printed)?.[1];
  assert.ok(Number(share) <= MOST, `auto costs ${share} % of eager`);
  for (const { document, name, table } of regions) {
    const text = read(document);
    assert.equal(text, withTable(text, name, table(printed)), document);
  }
});

test('the pictures and the short table of searches equal the output of their scripts', async () => {
  assert.equal(read('docs/prompt.svg'), await picture());
  const measured = read('docs/contributing/measurements.md');
  assert.equal(read('docs/search.svg'), searchPicture(measured));
  const page = read('docs/search.md');
  assert.equal(page, withTable(page, 'search-summary', searchSummary(measured)));
});
