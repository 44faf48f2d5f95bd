import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { packages, sourcesOf } from '../scripts/packages.ts';
import { root } from './tree.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = new Map(
  packages().flatMap(([folder]) => sourcesOf(folder).map((file) => [file, read(file)])),
);

/** The paths in a cell: `folder/{a,b}.ts` are two. */
function pathsIn(cell: string): string[] {
  const spans = [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => span.includes('/')).flatMap(expanded);
}

function expanded(path: string): string[] {
  const [, begin = '', names = '', end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === '' ? [path] : names.split(',').map((name) => `${begin}${name}${end}`);
}

/** The source files in which a word stands, in code and in comments. */
function filesWith(word: string): string[] {
  const pattern = new RegExp(`\\b${word}\\b`);
  return [...sources].flatMap(([file, text]) => (pattern.test(text) ? [file] : []));
}

const [, section = ''] = read('CONTRIBUTING.md').split('\n## Where things are added\n');
const [table = ''] = section.split('\n## ');
const rows = [...table.matchAll(/^\| (.+) \| (.+) \| `([\w-]+)` \| (.+) \|$/gm)];

describe('where things are added, in CONTRIBUTING.md', () => {
  test('the table has a row for each of eight things', () => {
    assert.equal(rows.length, 8);
    assert.equal(table.split('\n').filter((line) => line.startsWith('|')).length, 2 + rows.length);
  });

  for (const [, thing = '', touched = '', example = '', further = ''] of rows) {
    test(`${thing}: the files are those that name ${example}`, () => {
      for (const file of [...pathsIn(touched), ...pathsIn(further)])
        assert.ok(existsSync(join(root, file)), file);
      assert.deepEqual(filesWith(example).sort(), pathsIn(touched).sort());
    });
  }
});
