import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { documents, fileOf, MARKS, placeOf, snippetsOf } from './snippets.ts';
import { root, trackedFiles } from './tree.ts';

const snippets = documents.flatMap(snippetsOf);

/** Blocks that are not run, with the reason. */
const SKIPPED: readonly string[] = [
  'README.md: it installs packages from a registry',
  'README.md: it takes over a terminal',
  'packages/postgres/README.md: it needs a database',
  'packages/toolfold/README.md: it takes over a terminal',
  'docs/apps.md: it runs the other programs of the page',
  'docs/chat.md: it takes over a terminal',
  'docs/contributing/checks.md: it installs packages from a registry',
  'docs/editors.md: it installs packages from a registry',
  'docs/local.md: it needs a model server on this address',
  'docs/logins.md: it needs a server with logins',
  'docs/postgres.md: it needs a database',
  'docs/testing.md: it installs packages from a registry',
  'docs/web.md: it serves until it is stopped',
];

describe('snippets of the documents', () => {
  test('every block has a known language, and every mark is known', () => {
    for (const snippet of snippets) {
      assert.match(snippet.language, /^(ts|tsx|sh|json|jsonc|text)$/, placeOf(snippet));
      for (const mark of snippet.marks.keys())
        assert.ok((MARKS as readonly string[]).includes(mark), `${placeOf(snippet)}: ${mark}`);
    }
  });

  test('no two blocks of a page are saved under the same name', () => {
    const files = snippets
      .filter(({ language, marks }) => language === 'ts' || marks.has('file'))
      .map((snippet) => join(snippet.page, fileOf(snippet)));
    assert.deepEqual(files, [...new Set(files)]);
  });

  test('Node 22 can parse the programs and the examples: it has no `using`', () => {
    const examples = trackedFiles('examples/', '.ts').filter(
      (file) => dirname(file) === 'examples',
    );
    const texts = examples.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
    for (const [place, text] of [
      ...texts,
      ...snippets.map((one) => [placeOf(one), one.text] as const),
    ])
      assert.doesNotMatch(text, /\busing \w+ =/, place);
  });

  test('blocks that are not run state the reason', () => {
    const skipped = snippets.filter(({ marks }) => marks.has('skip'));
    assert.deepEqual(
      skipped.map(({ page, marks }) => `${page}.md: ${marks.get('skip')}`),
      SKIPPED,
    );
  });
});
