import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchWords } from '../near-names.ts';
import { readWords, Vocabulary } from './fields.ts';

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

test('each field is read as the words of `searchWords`, in their order', () => {
  const vocabulary = new Vocabulary();
  const list = fc.array(text, { maxLength: 5 });
  fc.assert(
    fc.property(text, text, text, list, fc.nat(6), (name, group, description, texts, lead) => {
      const parameters = texts.map((one) => ({ name: one, description: `${one}.` }));
      const document = { key: 'a', name, group, description, parameters };
      const words = readWords(document, lead, vocabulary);
      const read = (numbers: readonly number[]) => numbers.map((one) => vocabulary.word(one));
      assert.deepEqual(read(words.name), searchWords(name));
      assert.deepEqual(read(words.group), searchWords(group));
      assert.deepEqual(read([...words.lead, ...words.rest]), searchWords(description));
      assert.ok(words.lead.length === lead || words.rest.length === 0);
      assert.deepEqual(read(words.parameterNames), searchWords(texts.join(' ')));
      const descriptions = texts.map((one) => `${one}.`).join(' ');
      assert.deepEqual(read(words.parameterTexts), searchWords(descriptions));
    }),
  );
});

test('a field is read up to a number of characters, however long its texts are', () => {
  const vocabulary = new Vocabulary();
  const long = 'ab '.repeat(100_000);
  const parameters = Array.from({ length: 1_000 }, () => ({ name: long, description: long }));
  const words = readWords(
    { key: 'a', name: long, group: long, description: long, parameters },
    20,
    vocabulary,
  );
  const counts = Object.entries(words).map(([field, list]) => [field, list.length]);
  assert.deepEqual(counts, [
    ['name', 86],
    ['group', 86],
    ['lead', 20],
    ['rest', 1_314],
    ['parameterNames', 1_334],
    ['parameterTexts', 1_334],
  ]);
});
