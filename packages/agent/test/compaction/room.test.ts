import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESERVE, roomIn } from '../../src/compaction/context-use.ts';

test('a request may use what the reserve leaves of the window', () => {
  assert.equal(roomIn(200_000), 200_000 - RESERVE);
  assert.equal(roomIn(2 * RESERVE), RESERVE);
});

test('in a small window the reserve is at most half of it', () => {
  assert.equal(roomIn(8_000), 4_000);
});
