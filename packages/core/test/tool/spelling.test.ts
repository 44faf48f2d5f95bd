import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { editsBetween, Spelling } from '../../src/near-names.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '1'), maxLength: 9 });

/** The same number without a limit: over all ways to begin. */
function fewestEdits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return fewestEdits(x, y);
  const isSwap = a[0] === b[1] && a[1] === b[0];
  return (
    1 +
    Math.min(
      fewestEdits(x, b),
      fewestEdits(a, y),
      fewestEdits(x, y),
      isSwap ? fewestEdits(x.slice(1), y.slice(1)) : Number.POSITIVE_INFINITY,
    )
  );
}

suite('edits', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['', '', 0],
    ['read', 'read', 0],
    ['read', 'raed', 1],
    ['read', 'reads', 1],
    ['read', 'ead', 1],
    ['read', 'rexd', 1],
    ['abcd', 'badc', 2],
  ];
  for (const [a, b, edits] of cases)
    test(`${a} to ${b}: ${edits}`, () => assert.equal(editsBetween(a, b, 3), edits));

  test('are the fewest, up to the allowed number, and no text is excluded wrongly', () => {
    fc.assert(
      fc.property(text, text, fc.nat(4), (a, b, allowed) => {
        const edits = fewestEdits(a, b);
        const expected = edits <= allowed ? edits : Number.POSITIVE_INFINITY;
        assert.equal(editsBetween(a, b, allowed), expected);
        assert.equal(new Spelling(a).editsTo(new Spelling(b), allowed), expected);
      }),
    );
  });
});

test('ends in common are counted once', () => {
  const shared = (a: string, b: string) => new Spelling(a).sharedEnds(new Spelling(b));
  assert.equal(shared('create_issue', 'create_an_issue'), 12);
  assert.equal(shared('aaa', 'aa'), 2);
  assert.equal(shared('abc', 'xyz'), 0);
});
