import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionWriter } from '@toolfold/testing/internal/store-cases/writer.ts';
import { openSession } from '../../src/sessions/session.ts';
import { memoryStore } from '../../src/sqlite/sqlite-store.ts';

test('what others append between two reads is neither lost nor read twice', async () => {
  const store = memoryStore();
  const writer = await SessionWriter.of(store);
  let later = 0;
  const appending = (before: 'get' | 'read') => {
    const say = () => writer.say(`later ${++later}`);
    return {
      ...store,
      get: async (id: string) => {
        if (before === 'get') await say();
        return store.get(id);
      },
      read: async (...args: Parameters<typeof store.read>) => {
        if (before === 'read') await say();
        return store.read(...args);
      },
    };
  };
  for (const before of ['get', 'read'] as const) {
    const session = await openSession(appending(before), writer.id);
    await session.refresh();
    await session.refresh();
    const numbers = session.entries.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
    assert.equal(session.record.seq, numbers.length);
    assert.equal(session.record.leaf, session.entries.at(-1)?.id);
  }
});
