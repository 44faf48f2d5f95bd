import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchWords, splitWords } from '../../near/index.ts';
import { Vocabulary } from './vocabulary.ts';
import { WordReader } from './word-reader.ts';

const piece = fc.constantFrom(
  ...'GitHub YouTube get_user HTTPServer PDFs sha256sum createIssue a B . , - 任务 größe é GitHubs'.split(
    ' ',
  ),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' ')),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test('texts are read as the words of `searchWords`, in their order', () => {
  const vocabulary = new Vocabulary();
  const reader = new WordReader(vocabulary);
  fc.assert(
    fc.property(text, (one) => {
      const words = reader.read(one).map((number) => vocabulary.word(number));
      assert.deepEqual(words, searchWords(one));
      assert.deepEqual(reader.readName(one), splitWords(one));
    }),
  );
});

test('a reader that forgets reads the same', () => {
  const vocabulary = new Vocabulary();
  const reader = new WordReader(vocabulary);
  const before = reader.read('GitHub issues of getUserById');
  reader.forget();
  assert.deepEqual(reader.read('GitHub issues of getUserById'), before);
});

test('many runs are told apart', () => {
  const vocabulary = new Vocabulary();
  const reader = new WordReader(vocabulary);
  const runs = Array.from({ length: 5_000 }, (_, i) => `run${'abcdefghij'.repeat(i % 40)} x${i} `);
  for (const round of [1, 2])
    for (const run of runs) {
      const words = reader.read(run).map((number) => vocabulary.word(number));
      assert.deepEqual(words, searchWords(run), `round ${round}`);
    }
});
