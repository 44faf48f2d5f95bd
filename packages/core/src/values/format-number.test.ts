import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCount, formatNumber } from './text.ts';

test('numbers are rounded and grouped as in English', () => {
  const values = [0, 1, 999, 1000, 999_999.6, 1_234_567, -123_456, -1234, 1e15, Number.NaN];
  for (const value of values) {
    assert.equal(formatNumber(value), Math.round(value).toLocaleString('en-US'));
  }
  assert.equal(formatCount(1, 'turn'), '1 turn');
  assert.equal(formatCount(1200, 'turn'), '1,200 turns');
});
