import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { stem } from './stem.ts';

suite('one stem', () => {
  const families = [
    'issue issues',
    'create creates created creating',
    'delete deleted deleting deletion',
    'list lists listed listing',
    'run running runs',
    'repository repositories',
    'search searches searched searching',
    'class classes',
    'query queries',
    'cancel cancelled cancelling cancellation',
    'recommend recommended recommending',
    'convert converts converting',
    'translate translates translated translation translator',
    'apply applies applied applying',
    'box boxes',
  ];
  for (const family of families) {
    test(`for ${family}`, () => assert.equal(new Set(family.split(' ').map(stem)).size, 1));
  }
});

suite('different stems', () => {
  for (const pair of [
    ...['news new', 'notion note', 'status state', 'thing th', 'read red', 'use bus'],
    ...['comment com', 'reply rep', 'format form'],
  ])
    test(`for ${pair}`, () => {
      const [one = '', other = ''] = pair.split(' ');
      assert.notEqual(stem(one), stem(other));
    });
});

suite('any word', () => {
  test('has a stem that is neither empty nor longer', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
        const result = stem(word);
        assert.ok(result.length > 0 && result.length <= word.length);
      }),
    );
  });

  test('with other than plain English letters is returned as it is', () => {
    for (const word of ['中文', 'été', '', 'x1s', '\ud800', "it's"]) assert.equal(stem(word), word);
  });
});
