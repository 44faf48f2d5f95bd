import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { describeFailure } from './failure.ts';
import type { Failure, OpenTransport } from './open-transport.ts';

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

const BROKEN = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

/** A server that has closed its input, and how it ends. */
function closing() {
  const { promise: ended, resolve } = Promise.withResolvers<Failure>();
  const opened = { ended, watch: { breach: new AbortController() } } as unknown as OpenTransport;
  return { opened, end: () => resolve({ reason: 'its process ended with code 1', remedy: '' }) };
}

test('where a pipe is closed, the end of the server is waited for, however late this process reads it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  for (const late of [0, 500, 10_000]) {
    const { opened, end } = closing();
    const described = describeFailure(BROKEN, opened, []);
    // The process was busy meanwhile: its timer is due, and what has happened is read behind it.
    context.mock.timers.tick(late);
    await turn();
    end();
    assert.equal((await described).reason, 'its process ended with code 1', String(late));
  }
});

test('a server that closes its input and does not end is not waited for longer than two seconds', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const described = describeFailure(BROKEN, closing().opened, []);
  for (let waited = 0; waited < 2_000; waited += 100) {
    context.mock.timers.tick(100);
    await turn();
  }
  assert.equal((await described).reason, 'write EPIPE');
});
