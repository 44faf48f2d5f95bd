import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MockLanguageModelV4 } from 'ai/test';
import { readTranscript } from 'toolfold/internal/stored-sessions/transcript.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { stateOf } from '../../src/log/log.ts';
import { createSession, MISSING_ENTRY, memoryStore, openSession } from '../../src/sessions.ts';
import { eventsOf } from '../../src/state/rebuilt-events.ts';

const KINDS = ['turn', 'user', MISSING_ENTRY, MISSING_ENTRY, 'user'];
const BODIES: Readonly<Record<string, object>> = {
  turn: { number: 1, how: 'send' },
  user: { message: { role: 'user', content: 'Go.' } },
};
const ENTRIES = KINDS.map((kind, n) => {
  const body = (BODIES[kind] ?? {}) as Record<string, never>;
  return { id: String(n), parent: n === 0 ? null : String(n - 1), seq: n + 1, kind, body, at: n };
});

test('no state is made of entries with a gap', async () => {
  const take = () => stateOf(ENTRIES);
  assert.throws(take, { code: 'session-damaged', message: /entry 3 .*forked before/ });
  const store = memoryStore();
  const session = await createSession(store);
  await session.begin({ onMessage: () => {}, onLost: () => {} });
  await session.append(ENTRIES.map(({ kind, body }) => ({ kind, body })));
  await session.end();
  const opened = await openSession(store, session.id);
  const model = new MockLanguageModelV4();
  assert.throws(() => createAgent({ model, session: opened }), { code: 'session-damaged' });
});

test('a gap is one warning for a screen and one note for a transcript', () => {
  const events = [...eventsOf(ENTRIES)].map(({ type }) => type);
  assert.deepEqual(events, ['user', 'warning', 'user']);
  const items = readTranscript(ENTRIES).items.map((item) => item.type);
  assert.deepEqual(items, ['turn', 'user', 'note', 'user']);
});
