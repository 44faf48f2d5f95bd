import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
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

test('a message that waits with a file comes back as it was typed', async () => {
  const gate = Promise.withResolvers<void>();
  const first = { text: 'One.', hold: gate.promise };
  await using chat = await openHost({ script: [first, { text: 'Two.' }] });
  await writeFile('plan.txt', 'The plan itself.');
  const { talk } = chat.host;
  const outbox = new Outbox({ host: () => chat.host, takeBack: () => {}, show: () => {} });
  for (const text of ['Go', 'Read @plan.txt']) {
    outbox.add(text);
    await outbox.send(text);
  }
  assert.deepEqual(outbox.queue, ['Read @plan.txt']);
  assert.deepEqual(talk.unqueue(), ['Read @plan.txt']);
  gate.resolve();
  await talk.cancel();
});
