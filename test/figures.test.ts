// test: slow
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REGIONS, runBench, withTable } from '../scripts/figures.ts';
import { root } from './tree.ts';

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
    const text = readFileSync(join(root, document), 'utf8');
    assert.equal(text, withTable(text, name, table(printed)), document);
  }
});
