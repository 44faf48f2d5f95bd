import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertWellFormed, unreachable } from '../../test/models/rows.test-support.ts';
import { PRICES } from './prices.ts';

suite('the table of prices', () => {
  test('has well-formed rows', () => {
    for (const row of PRICES) {
      assertWellFormed(row);
      assert.ok(row.write >= 1 && row.write <= 2, `${row.model}: write ${row.write}`);
      assert.ok(row.read > 0 && row.read <= 1, `${row.model}: read ${row.read}`);
      const minPrefix = row.minPrefix ?? 1;
      assert.ok(Number.isInteger(minPrefix) && minPrefix > 0, `${row.model}: ${minPrefix}`);
    }
  });

  test('has no row that an earlier one hides', () => {
    assert.deepEqual(unreachable(PRICES), []);
  });
});
