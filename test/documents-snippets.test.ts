import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  assertRuns,
  checkTypes,
  linkModules,
  runPrograms,
  writeSnippets,
} from './snippet-project.ts';
import { documents, fileOf, MARKS, placeOf, snippetsOf } from './snippets.ts';
import { root } from './tree.ts';

const SOURCE = 'toolfold-source';
const snippets = documents.flatMap(snippetsOf);

/** Blocks that are not run, and why. */
const SKIPPED: readonly string[] = [];

describe('snippets of the documents', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolfold-snippets-'));
    linkModules(folder);
    symlinkSync(root, join(folder, 'node_modules', 'toolfold'));
    writeSnippets(folder, snippets);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('every block is of a known kind, and every mark is a known one', () => {
    for (const snippet of snippets) {
      assert.match(snippet.language, /^(ts|sh|json|jsonc|text)$/, placeOf(snippet));
      for (const mark of snippet.marks.keys())
        assert.ok((MARKS as readonly string[]).includes(mark), `${placeOf(snippet)}: ${mark}`);
    }
  });

  test('no two blocks of a page are saved under one name', () => {
    const files = snippets
      .filter(({ language, marks }) => language === 'ts' || marks.has('file'))
      .map((snippet) => join(snippet.page, fileOf(snippet)));
    assert.deepEqual(files, [...new Set(files)]);
  });

  test('blocks that are not run say why', () => {
    const skipped = snippets.filter(({ marks }) => marks.has('skip'));
    assert.deepEqual(
      skipped.map(({ page, marks }) => `${page}.md: ${marks.get('skip')}`),
      SKIPPED,
    );
  });

  test('every program has the right types', { timeout: 120_000 }, async () => {
    assert.equal(await checkTypes(folder, snippets, [SOURCE]), '');
  });

  test('every program runs, and prints what the page shows', { timeout: 180_000 }, async () => {
    const runs = await runPrograms(folder, snippets, [`--conditions=${SOURCE}`]);
    assertRuns(runs, snippets);
  });
});
