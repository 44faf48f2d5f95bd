import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { searchWords, splitWords } from '../../src/near-names.ts';

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

  test('ASCII text has the same words beside other text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'GitHub get_user HTTPServer PDFs PDFsA AAs As sha256SUM aB A s'.split(' '),
      ),
      fc.string({ unit: fc.constantFrom(...'abzABSZ019_- s') }),
      fc.string({ unit: 'binary-ascii' }),
    );
    const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (ascii) => {
        assert.deepEqual([...splitWords(ascii), 'é'], splitWords(`${ascii} é`));
      }),
    );
  });

  test('a brand of two capitals is also one word to search by', () => {
    assert.deepEqual(searchWords('GitHub issues'), ['git', 'hub', 'issues', 'github']);
  });
});
