import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { firstSentence, plainLine, truncate } from './text.ts';

const hostile = fc.string({ unit: 'binary', maxLength: 200 });
const breaks = fc.string({
  unit: fc.constantFrom(
    'a',
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    '\u0085',
    '\v',
    '\u200b',
    '\u202e',
    '"',
    '<',
    '`',
    '\ud800',
  ),
  maxLength: 60,
});

suite('plain text', () => {
  test('promise 36: whatever comes in, one line without control characters goes out', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, breaks), fc.integer({ min: 1, max: 100 }), (text, limit) => {
        for (const line of [plainLine(text, limit), firstSentence(text, limit)]) {
          assert.ok(line.length <= limit, String(line.length));
          assert.ok(line.isWellFormed());
          assert.doesNotMatch(line, /[\p{C}\u2028\u2029"`<>]/u);
        }
      }),
    );
  });

  test('is cut at whole characters, with a mark', () => {
    assert.equal(truncate('abc', 3), 'abc');
    assert.equal(truncate('abcd', 3), 'ab…');
    assert.equal(truncate('a😀b', 3), 'a…');
    assert.equal(firstSentence('Makes it. Or not.', 80), 'Makes it');
    assert.equal(firstSentence('Uses v1.2 of it', 80), 'Uses v1.2 of it');
    assert.equal(firstSentence(' \n', 80), '');
  });
});
