import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backticks } from './text.ts';

test('backticks around a text are more than stand side by side in it', () => {
  assert.equal(backticks('plain', 3), '```');
  assert.equal(backticks('a `` b ```` c', 3), '`````');
  assert.equal(backticks('', 1), '`');
  // Far more runs than a function takes arguments.
  assert.equal(backticks('` '.repeat(500_000), 3), '```');
});
