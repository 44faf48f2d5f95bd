import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { isHazardous } from './hazardous-pattern.ts';

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
      assert.ok(isHazardous(pattern)));
  }
  for (const pattern of harmless) {
    test(`${pattern} is harmless`, () => assert.ok(!isHazardous(pattern)));
  }
  test('a value that is not a pattern is hazardous, and broken patterns cause no error', () => {
    assert.ok(isHazardous(7));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'()[]{}|*+?\\a2,'.split('')) }), (text) => {
        assert.equal(typeof isHazardous(text), 'boolean');
      }),
    );
  });
});
