import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { checkBySchema } from '../../src/schema/json-check.ts';
import { stepsOf } from '../../src/schema/patterns.ts';

const hazardous = [
  '(a+)+$',
  '(a*)*b',
  '^(([a-z])+.)+[A-Z]$',
  '((a+)b?)+',
  '(a|a)*c',
  '(a|ab)+$',
  '(?:a?){30}',
  '(x?y?)*',
  '(?<n>a+){2,}',
  '((a{1,9})){2,9}z',
  'a'.repeat(1_001),
];
const harmless = [
  '^[a-z0-9-]+$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^(https?|ftp)://.+',
  '^(a|b|c)$',
  '^(?:abc)+$',
  '([*+?]){3}',
  '(\\+\\*)+',
  '(ab){2,5}',
  '[(a+)+]',
];

suite('hazardous patterns', () => {
  for (const pattern of hazardous) {
    test(`${pattern.slice(0, 30)} may take exponential time`, () =>
      assert.equal(stepsOf(pattern), undefined));
  }
  for (const pattern of harmless) {
    test(`${pattern} is harmless`, () => assert.ok(stepsOf(pattern)));
  }
  test('a value that is not a pattern is not checked, and broken patterns cause no error', () => {
    assert.match(checkBySchema({ pattern: 7 }, 'x').warning ?? '', /malformed/);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'()[]{}|*+?\\a2,'.split('')) }), (text) => {
        const { warning = '' } = checkBySchema({ pattern: text }, 'x');
        assert.doesNotMatch(warning, /cannot be used/);
      }),
    );
  });
});
