import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openHost } from '../../test/chat/host.test-support.ts';
import { Outbox } from './outbox.ts';

test('messages wait for a model, in their order, and can be taken back', async () => {
  await using chat = await openHost({ isUnnamed: true, script: () => ({ text: 'Yes.' }) });
  const { talk } = chat.host;
  const shown: string[] = [];
  const takeBack = (texts: readonly string[]) => assert.deepEqual(texts, []);
  const outbox = new Outbox({
    ...{ host: () => chat.host, takeBack },
    show: (lines) => shown.push(...lines),
  });
  const say = async (text: string) => {
    outbox.add(text);
    await outbox.send(text);
  };
  await say('Back');
  assert.match(shown.join('\n'), /^No model is chosen, .*\/model/);
  assert.deepEqual(outbox.take(), ['Back']);
  await say('Kept');
  assert.deepEqual([outbox.left('Half a'), outbox.left('')], ['Kept\nHalf a', '']);
  for (const text of ['One', 'Two']) await say(text);
  outbox.sendHeld();
  assert.deepEqual([outbox.queue, outbox.sending], [['One', 'Two'], undefined]);
  assert.equal(chat.server.requests.length, 0);
  const { port } = new URL(chat.server.baseUrl('anthropic'));
  await talk.choose({ model: `local-${port}/any` });
  outbox.sendHeld();
  while (talk.view.turns.length < 2 || talk.state !== 'idle')
    await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    talk.view.turns.map(({ user }) => user),
    ['One', 'Two'],
  );
  assert.deepEqual([outbox.queue, outbox.take()], [[], []]);
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
