import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFailure } from './failure.ts';

test('a reason includes its cause, without secrets and control characters', async () => {
  const cause = new Error('connect to hunter2-hunter2 \u001B[31mrefused');
  const error = new Error('fetch failed', { cause });
  const { reason } = await describeFailure(error, undefined, ['hunter2-hunter2']);
  assert.equal(reason, 'fetch failed: connect to [redacted] refused');
});

test('a reason is bounded', async () => {
  const { reason } = await describeFailure(new Error('x'.repeat(5000)), undefined, []);
  assert.equal(reason.length, 1000);
});

test('cyclic causes end', async () => {
  const error = new Error('round');
  error.cause = error;
  assert.equal((await describeFailure(error, undefined, [])).reason, 'round');
});
