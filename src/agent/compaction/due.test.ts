import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDue, RESERVE } from './context-use.ts';

test('a compaction is due when use and reserve exceed the window', () => {
  assert.equal(isDue({ used: 200_000 - RESERVE, window: 200_000 }), false);
  assert.equal(isDue({ used: 200_001 - RESERVE, window: 200_000 }), true);
  assert.equal(isDue({ used: 61, window: 100, reserve: 40 }), true);
  assert.equal(isDue({ used: 60, window: 100, reserve: 40 }), false);
});

test('in a small window the reserve is at most half of it', () => {
  assert.equal(isDue({ used: 4_000, window: 8_000 }), false);
  assert.equal(isDue({ used: 4_001, window: 8_000 }), true);
});
