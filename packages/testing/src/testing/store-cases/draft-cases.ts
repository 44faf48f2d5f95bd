import assert from 'node:assert/strict';
import { LEASE_TIME, WATCH_TIME } from '@toolfold/agent/internal/sessions';
import { Clock } from './clock.ts';
import type { StoreCase } from './store-case.ts';
import { NOW, refused, Writer } from './writer.ts';

/** Cases about what a holder shows to those who watch. */
export const draftCases: readonly StoreCase[] = [
  {
    name: 'a holder is told for a while that somebody watches',
    run: async (store) => {
      const clock = new Clock(NOW);
      try {
        const { id, lease } = await Writer.of(store);
        const isWatched = async () => (await store.look(lease)).isWatched;
        assert.equal(await isWatched(), false);
        assert.equal(await store.watch(id), undefined);
        assert.equal(await isWatched(), true);
        clock.pass(WATCH_TIME - 1);
        await store.watch(id);
        clock.pass(WATCH_TIME - 1);
        assert.equal(await isWatched(), true);
        clock.pass(WATCH_TIME);
        assert.equal(await isWatched(), false);
        await refused(store.watch('none'), 'session-unknown');
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'what a holder shows is seen until it shows something else, and is no entry',
    run: async (store) => {
      const { id, lease } = await Writer.of(store);
      const other = await Writer.of(store);
      await store.watch(id);
      const draft = { text: 'é\u0000"', list: [1, null] };
      await store.show(lease, draft);
      assert.deepEqual(await store.watch(id), draft);
      await store.show(lease, { text: '' });
      assert.deepEqual(await store.watch(id), { text: '' });
      assert.equal(await store.watch(other.id), undefined);
      assert.deepEqual(await store.read(id), []);
      assert.equal((await store.get(id))?.changedAt, NOW);
      await store.show(lease, undefined);
      assert.equal(await store.watch(id), undefined);
    },
  },
  {
    name: 'what a holder shows is gone with its lease',
    run: async (store) => {
      const clock = new Clock(NOW);
      try {
        const { id, lease } = await Writer.of(store);
        await store.watch(id);
        await store.show(lease, { text: 'first' });
        await store.release(lease);
        assert.equal(await store.watch(id), undefined);
        await refused(store.show(lease, { text: 'late' }), 'session-lost');
        const { lease: next } = await Writer.open(store, id);
        assert.equal(await store.watch(id), undefined);
        await store.show(next, { text: 'second' });
        clock.pass(LEASE_TIME);
        assert.equal(await store.watch(id), undefined);
        const { lease: third } = await Writer.open(store, id);
        await refused(store.show(next, { text: 'late' }), 'session-lost');
        assert.equal(await store.watch(id), undefined);
        await store.show(third, { text: 'third' });
        await store.release(third);
        assert.equal(await store.remove(id), true);
      } finally {
        clock.restore();
      }
    },
  },
];
