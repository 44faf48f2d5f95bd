import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Combination, everyValue, pairwise, product } from './combinations.test-support.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const space = (...sizes: number[]): Combination[] =>
  product(Object.fromEntries(sizes.map((size, index) => [`setting ${index}`, range(size)])));

const SPACES: Readonly<Record<string, readonly Combination[]>> = {
  'one setting': space(4),
  'two settings': space(3, 2),
  'three settings of equal size': space(3, 3, 3),
  'settings of all sizes': space(2, 1, 5, 3, 2),
  'many small settings': space(...Array.from({ length: 10 }, () => 2)),
  'a large setting last': space(2, 3, 30),
  'some combinations left out': space(3, 4, 2, 2).filter(
    (row) => row['setting 0'] !== 1 || row['setting 1'] === 2,
  ),
  'values that are objects': product({
    a: [{}, {}],
    b: [{}, {}],
    c: [undefined, null, Number.NaN],
  }),
};

/** Every two values that occur together, by their setting; values are told apart by identity. */
function pairsOf(rows: readonly Combination[], ids: Map<unknown, number>): Set<string> {
  const idOf = (value: unknown) => {
    ids.set(value, ids.get(value) ?? ids.size);
    return ids.get(value);
  };
  return new Set(
    rows.flatMap((row) => {
      const entries = Object.entries(row);
      return entries.flatMap(([a, first]) =>
        entries.map(([b, second]) => `${a} ${idOf(first)}, ${b} ${idOf(second)}`),
      );
    }),
  );
}

describe('pairwise', () => {
  for (const [name, rows] of Object.entries(SPACES)) {
    test(`${name}: every two values that occur together still do`, () => {
      const ids = new Map<unknown, number>();
      assert.deepEqual(pairsOf(pairwise(rows), ids), pairsOf(rows, ids));
    });

    test(`${name}: every value still occurs, in far fewer`, () => {
      const valuesOf = (some: readonly Combination[]) =>
        Object.keys(rows[0] ?? {}).map((key) => new Set(some.map((row) => row[key])));
      const few = everyValue(rows);
      assert.deepEqual(valuesOf(few), valuesOf(rows));
      assert.ok(few.length <= pairwise(rows).length);
    });

    test(`${name}: a part of the combinations, in their order, the same every time`, () => {
      const chosen = pairwise(rows);
      assert.deepEqual(
        chosen,
        rows.filter((row) => chosen.includes(row)),
      );
      assert.deepEqual(pairwise(rows), chosen);
    });
  }

  test('the selection is small', () => {
    assert.ok(pairwise(space(...Array.from({ length: 10 }, () => 2))).length <= 12);
    assert.ok(pairwise(space(3, 3, 3)).length <= 11);
    assert.equal(pairwise(space(4, 27, 2, 3)).length, 4 * 27);
  });

  test('no values give no combinations', () => {
    assert.deepEqual(pairwise(space(2, 0, 3)), []);
  });
});
