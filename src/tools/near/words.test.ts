import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { stem } from '../search/stem.ts';
import { searchWords, splitWords } from './words.ts';

suite('splitWords', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['getUserById', 'get user by id'],
    ['create_issue', 'create issue'],
    ['list-mail-messages', 'list mail messages'],
    ['HTTPServer', 'http server'],
    ['exportPDFs', 'export pdfs'],
    ['sha256sum v2', 'sha 256 sum v 2'],
    ['Größe_ändern', 'größe ändern'],
    ['Создать задачу', 'создать задачу'],
    ['创建任务', '创建 建任 任务'],
    ['文 a', '文 a'],
    ['Full', 'full'],
    [' \0\n\u202e\ud800 ', ''],
  ];
  for (const [text, words] of cases) {
    test(`${JSON.stringify(text)} is ${words || 'nothing'}`, () =>
      assert.deepEqual(splitWords(text), words === '' ? [] : words.split(' ')));
  }

  test('any text gives lower-case words without separators', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of splitWords(text)) {
          assert.ok(word.length > 0);
          assert.doesNotMatch(word, /[A-Z\s_\-./]/);
        }
      }),
    );
  });

  test('a brand of two capitals is also one word to search by', () => {
    assert.deepEqual(searchWords('GitHub issues'), ['git', 'hub', 'issues', 'github']);
  });
});

suite('stem', () => {
  const families = [
    'issue issues',
    'create creates created creating creation',
    'list lists listed listing',
    'run running',
    'repository repositories',
    'search searches searched searching',
    'class classes',
    'query queries',
  ];
  for (const family of families) {
    test(`one stem for ${family}`, () =>
      assert.equal(new Set(family.split(' ').map(stem)).size, 1));
  }

  test('different words have different stems', () => {
    const words = [
      'status',
      'state',
      'thing',
      'bus',
      'use',
      'string',
      'red',
      'read',
      '中文',
      'été',
    ];
    assert.equal(new Set(words.map(stem)).size, words.length);
  });

  test('never makes a word empty or longer', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
        assert.ok(stem(word).length > 0 && stem(word).length <= word.length);
      }),
    );
  });
});
