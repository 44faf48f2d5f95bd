import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { listSessions } from './open-sessions.ts';

const names = (from: number, to: number): readonly string[] =>
  Array.from({ length: from - to + 1 }, (_, index) => `s${from - index}`);

test('the pages of a list hold each session once, also if one changes between two pages', async () => {
  const store = memoryStore();
  const create = (id: string, createdAt: number) => store.create({ id, createdAt, folder: '/a' });
  // Ten sessions of each time.
  for (let number = 0; number < 120; number++) await create(`s${number}`, number - (number % 10));
  await store.create({ id: 'nowhere', createdAt: 500 });
  const page = async (cursor?: string | null) => {
    const { sessions, nextCursor } = await listSessions(store, { cursor });
    return { ids: sessions.map(({ sessionId }) => sessionId), nextCursor };
  };
  const ids: string[] = [];
  let next: string | null | undefined;
  do {
    const found = await page(next);
    ids.push(...found.ids);
    next = found.nextCursor;
  } while (next);
  assert.deepEqual([ids.length, new Set(ids).size], [120, 120]);

  const first = await page();
  const last = first.ids.at(-1) ?? '';
  await store.remove(last);
  await create(last, 1000);
  const { ids: second } = await page(first.nextCursor);
  assert.deepEqual([second[0], second.length], ['s69', 50]);
  assert.ok(second.every((id) => !first.ids.includes(id)));
  assert.ok(names(69, 20).every((id) => second.includes(id)));
  const far = await page(Buffer.from('[-1,"s"]').toString('base64url'));
  assert.deepEqual(far, { ids: [], nextCursor: undefined });
});
