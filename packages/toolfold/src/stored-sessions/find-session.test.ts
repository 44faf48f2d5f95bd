import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '@toolfold/agent/internal/sqlite';
import { findSession } from './find-session.ts';

test('the beginning of an id means a session, not those of its subagents', async () => {
  const store = memoryStore();
  await store.create({ createdAt: 0, id: 'abc-1' });
  await store.create({ createdAt: 0, id: 'abc-1/call/x', parent: 'abc-1' });
  await store.create({ createdAt: 0, id: 'xyz' });
  assert.equal((await findSession(store, 'ab')).id, 'abc-1');
  assert.equal((await findSession(store, 'abc-1/c')).id, 'abc-1/call/x');
  await store.create({ createdAt: 0, id: 'abd' });
  await assert.rejects(findSession(store, 'ab'), { code: 'invalid-option', message: /2 sessions/ });
  await assert.rejects(findSession(store, ''), { code: 'session-unknown' });
});
