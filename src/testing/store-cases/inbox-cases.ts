import assert from 'node:assert/strict';
import { newOwner } from '../../sessions/index.ts';
import type { StoreCase } from './store-case.ts';
import { NOW, refused, Writer } from './writer.ts';

/** Cases about messages to the holder. */
export const inboxCases: readonly StoreCase[] = [
  {
    name: 'messages are taken in order, each once, and never stored again',
    run: async (store) => {
      const { id, lease } = await Writer.of(store);
      assert.deepEqual(await store.take(lease), []);
      const answer = { id: 'b', kind: 'answer', body: { approve: true } } as const;
      const cancel = { id: 'a', kind: 'cancel', body: {} } as const;
      await store.post(id, answer);
      await store.post(id, cancel);
      await store.post(id, { ...answer, body: { approve: false } });
      assert.deepEqual(await store.take(lease), [answer, cancel]);
      assert.deepEqual(await store.take(lease), []);
      await store.post(id, answer);
      assert.deepEqual(await store.take(lease), []);
      await refused(store.post('none', answer), 'session-unknown');
    },
  },
  {
    name: 'messages wait for a holder, in the inbox of their session',
    run: async (store) => {
      const message = { id: 'a', kind: 'answer', body: { text: 'yes' } } as const;
      await store.create({ id: 'one', createdAt: NOW });
      await store.create({ id: 'two', createdAt: NOW });
      await store.post('one', message);
      await store.post('two', message);
      const lease = await store.acquire('one', newOwner());
      assert.deepEqual(await store.take(lease), [message]);
      await store.release(lease);
      await refused(store.take(lease), 'session-lost');
      assert.deepEqual(await store.take(await store.acquire('two', newOwner())), [message]);
    },
  },
];
