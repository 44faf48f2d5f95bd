import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readPhrases } from '../../../../training/read-phrases.ts';
import { loadVectors, searchWithVectors, type WordVectors } from '../vectors.ts';
import { Phrases } from './table-file.ts';

suite('phrases', () => {
  const phrases = new Phrases([
    'reject decline\tturn down,say no to',
    'louder\tturn,turn down it now',
  ]);
  const found = (text: string) => phrases.in(text.split(' '));

  test('are found where their words stand side by side, the longest at each place', () => {
    assert.deepEqual(found('please turn down it and say no to them'), ['turn down', 'say no to']);
    assert.deepEqual(found('turn down it now'), ['turn down it now']);
    assert.deepEqual(found('turn it down'), []);
    assert.deepEqual(found('turn down turn down'), ['turn down', 'turn down']);
    for (const text of ['', 'turn', 'say no', 'constructor __proto__'])
      assert.deepEqual(found(text), []);
  });

  test('mean the words of their gloss, which share one weight', () => {
    const { words, weight = 0 } = phrases.meaningOf('say no to') ?? {};
    assert.deepEqual(words, ['reject', 'decline']);
    const { weight: alone = 0 } = phrases.meaningOf('turn down it now') ?? {};
    assert.ok(Math.abs(weight * Math.SQRT2 - alone) < 1e-9);
    assert.equal(phrases.meaningOf('reject'), undefined);
  });
});

suite('the phrases of the package', () => {
  let vectors: WordVectors;
  before(async () => {
    vectors = await loadVectors();
  });

  test('are those of training, and have a vector each', () => {
    const sum = new Float32Array(vectors.dimensions);
    for (const { phrases } of readPhrases())
      for (const phrase of phrases) {
        assert.ok(vectors.phrasesIn?.(phrase.split(' ')).includes(phrase), phrase);
        assert.ok(vectors.add(phrase, 1, sum.fill(0)) && sum.some((each) => each !== 0), phrase);
      }
  });

  test('find the tool that a query means, and not one like its words', async () => {
    const search = await searchWithVectors();
    const tool = (name: string, description: string) => ({
      key: name,
      group: '',
      name,
      description,
    });
    search.index([
      tool('decline_invitation', 'Rejects an invitation.'),
      tool('rotate_image', 'Rotates a picture.'),
      tool('git_blame', 'Shows the author of each line of a file.'),
      tool('summarize', 'Makes a summary of a text.'),
    ]);
    const first = (query: string) => search.search(query, { limit: 1, allows: () => true })[0]?.key;
    assert.equal(first('turn down the dinner'), 'decline_invitation');
    assert.equal(first('who is behind this'), 'git_blame');
    assert.equal(first('in a nutshell'), 'summarize');
  });

  test('are none in the words of a tool', async () => {
    const search = await searchWithVectors();
    search.index([{ key: 'turn', group: '', name: 'turn_down', description: 'Turn down.' }]);
    const similarity = (query: string) =>
      search.search(query, { limit: 1, allows: () => true, explain: true })[0]?.why?.similarity ??
      0;
    assert.ok(similarity('turn') > similarity('decline'));
  });
});
