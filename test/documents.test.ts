import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from './tree.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const range = (letter: string, last: number) =>
  Array.from({ length: last }, (_, n) => `${letter}${n + 1}`);

describe('documents', () => {
  test('every file they name exists', () => {
    for (const document of ['README.md', 'DESIGN.md', 'CHANGELOG.md']) {
      const named = [
        ...read(document).matchAll(/[`(]((?:src|test|bench|examples)\/[\w./-]*)[`)]/g),
      ];
      assert.ok(named.length > 0 || document === 'CHANGELOG.md');
      for (const [, file = ''] of named)
        assert.ok(existsSync(join(root, file)), `${document}: ${file}`);
    }
  });

  test('every feature of the systems it builds on has a row with its place and its test', () => {
    const rows = new Map(
      [...read('DESIGN.md').matchAll(/^\| ([FCHI]\d+[a-z]?) \|(.+)$/gm)].map((row) => [
        row[1] ?? '',
        row[2] ?? '',
      ]),
    );
    const parts = [...'abcdefghijklmno'].map((part) => `F21${part}`);
    const expected = [...range('F', 20), ...parts, ...range('C', 32), ...range('H', 17)];
    assert.deepEqual([...rows.keys()], [...expected, ...range('I', 14), 'I18']);
    for (const [name, row] of rows) {
      const [, , where = '', proof = ''] = row.split('|');
      assert.match(where, /`(src|bench)\//, name);
      assert.match(proof, /`src\/.*\.test\.ts`/, name);
    }
  });

  test('every command of the README is one the package has', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, name = ''] of read('README.md').matchAll(/npm run ([\w:-]+)/g))
      assert.ok(name in scripts, name);
  });
});
