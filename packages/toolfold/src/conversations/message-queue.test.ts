import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import type { WaitingMessages } from '../stored-sessions/open-store.ts';
import { MessageQueue } from './message-queue.ts';

test('a message that was left in two files, or that its session has, is taken over once or not at all', async () => {
  const session = await createSession(memoryStore(), { id: 's' });
  await session.begin({ onMessage: () => {}, onLost: () => {} });
  await session.append([{ kind: 'user', body: { id: 'sent', message: 'It was sent.' } }]);
  await session.end();
  const left = ['a', 'sent', 'b', 'a'].map((id) => ({ id, text: `The text of ${id}.` }));
  const draft = { id: 'd', text: 'Half a sen', isDraft: true };
  const kept: unknown[] = [];
  const waiting = {
    take: async () => [...left, draft],
    keep: async (_: unknown, messages: unknown) => void kept.push(messages),
  } as unknown as WaitingMessages;
  const queue = new MessageQueue({
    ...{ session: () => session.id, waiting, onError: assert.ifError },
    entries: () => session.entries,
    followed: () => undefined,
  });
  await queue.takeLeft();
  assert.deepEqual(queue.texts, ['The text of a.', 'The text of b.']);
  assert.deepEqual(kept, [[left[0], left[2]]]);
  // What was never sent goes into the box.
  assert.deepEqual(queue.drafts, ['Half a sen']);
});
