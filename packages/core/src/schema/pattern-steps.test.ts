import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { stepsOf } from './patterns.ts';

/** The power of the text length by which the work may grow; undefined if it cannot be determined. */
function growth(pattern: string): number | undefined {
  const steps = stepsOf(pattern);
  return steps && Math.round(Math.log2(steps(1_000_000) / steps(500_000)));
}

const patterns: Readonly<Record<string, number | undefined>> = {
  // One way to match.
  '^[a-z0-9-]+$': 1,
  '^\\w+@\\w+\\.\\w+$': 1,
  '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z?)?$': 1,
  '^(?:abc)+$': 1,
  '^(?=.*[A-Z])(?=.*\\d).{8,}$': 1,
  '^[a-z]{1,63}\\.[a-z]{1,63}$': 1,
  '^(a|b|c)$': 1,
  // A match may begin anywhere.
  'a*b': 2,
  '\\s+$': 2,
  '(?<=a*)b': 2,
  // Repeats between which a text can be divided in many ways.
  '^a*a*b': 2,
  '^\\s*\\s*$': 2,
  '^.*foo.*bar$': 2,
  '^[^@]+@[^@]+\\.[^@]+$': 2,
  '^a*(?=[ab]*c)d': 2,
  '^a*[ab]?a*b': 2,
  '^(a*|b)a*c': 2,
  'a*a*a*b': 4,
  '.*.*=.*': 4,
  // Exponential, or not determined.
  '(a|a)*b': undefined,
  '(a+)+$': undefined,
  '(a{1,1000}){1,1000}': undefined,
  '(?:(?=a*)a)+b': undefined,
  '(a*)\\1b': undefined,
  '(?<x>a)\\k<x>': undefined,
  '(?i:a)b': undefined,
};

suite('the work of a pattern', () => {
  for (const [pattern, power] of Object.entries(patterns)) {
    const said = power === undefined ? 'is not told' : `grows with the power of ${power}`;
    test(`promise 38: ${pattern} ${said}`, () => assert.equal(growth(pattern), power));
  }

  test('promise 38: every choice counts, with no repeat at all', () => {
    for (const part of ['a?', '(a|a)', '(a|aa)', '(?:a|ab)', '(a?b?)']) {
      const [few, more] = [10, 20].map((count) => stepsOf(`^${part.repeat(count)}$`)?.(40) ?? 0);
      assert.ok((few ?? 0) >= 2 ** 10 && (more ?? 0) >= 2 ** 20, part);
    }
    const apart = stepsOf(`^${'(a|b)'.repeat(20)}$`)?.(40) ?? Number.POSITIVE_INFINITY;
    assert.ok(apart < 10_000, String(apart));
  });

  test('promise 38: every pattern can be analyzed without an error', () => {
    const unit = fc.constantFrom(...'()[]{}|*+?\\a2,^$.=!<>:-bdwpuL'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (pattern) => {
        try {
          new RegExp(pattern, 'u');
        } catch {
          return;
        }
        const steps = stepsOf(pattern);
        assert.ok(steps === undefined || steps(10) > 0);
      }),
      { numRuns: 3_000 },
    );
  });
});
