import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHost } from '../host.test-support.ts';
import { Outbox } from './outbox.ts';

test('a message without a model comes back, with the next step', async () => {
  await using chat = await openHost({ isUnnamed: true });
  const back: string[] = [];
  const shown: string[] = [];
  const outbox = new Outbox({
    host: () => chat.host,
    takeBack: (texts) => back.push(...texts),
    show: (lines) => shown.push(...lines),
  });
  outbox.add('Hello');
  await outbox.send('Hello');
  assert.deepEqual(back, ['Hello']);
  assert.match(shown.join('\n'), /^No model is chosen, .*\/model/);
  assert.deepEqual(outbox.queue, []);
  assert.equal(chat.server.requests.length, 0);
});
