import assert from 'node:assert/strict';
import { LEASE_TIME, newOwner, type Owner, thisMoment } from '@toolfold/agent/internal/sessions';
import { Clock } from './clock.ts';
import type { StoreCase } from './store-case.ts';
import { NOW, refused, textsOf, Writer } from './writer.ts';

/** An owner whose process has ended: process numbers are never this large. */
const endedOwner = (): Owner => ({ ...newOwner(), pid: 2 ** 30 });

/** Cases about leases. */
export const leaseCases: readonly StoreCase[] = [
  {
    name: 'a lease that is held is refused to others, who are told its holder',
    run: async (store) => {
      const { id, lease } = await Writer.of(store);
      await assert.rejects(store.acquire(id, newOwner()), {
        code: 'session-busy',
        message: new RegExp(`${lease.owner.pid}.*${lease.owner.host}`),
      });
      assert.deepEqual(await store.holder(id), lease.owner);
      await refused(store.acquire('none', newOwner()), 'session-unknown');
      await refused(store.holder('none'), 'session-unknown');
    },
  },
  {
    name: 'a released lease is free, and nothing is done with it any more',
    run: async (store) => {
      const writer = await Writer.of(store);
      const { id, lease } = writer;
      await store.release(lease);
      assert.equal(await store.holder(id), undefined);
      await refused(store.append(writer.next('a'), { lease }), 'session-lost');
      await refused(store.renew(lease), 'session-lost');
      await refused(store.look(lease), 'session-lost');
      await refused(store.show(lease, {}), 'session-lost');
      const next = await store.acquire(id, newOwner());
      assert.ok(next.fence > lease.fence);
      await store.release(lease);
      assert.deepEqual(await store.holder(id), next.owner);
    },
  },
  {
    name: 'a lease of an owner that is gone is free at once',
    run: async (store) => {
      await store.create({ id: 'one', createdAt: NOW });
      const lost = await store.acquire('one', endedOwner());
      assert.equal(await store.holder('one'), undefined);
      const next = await store.acquire('one', newOwner());
      await refused(store.renew(lost), 'session-lost');
      await refused(store.look(lost), 'session-lost');
      await store.release(lost);
      assert.deepEqual(await store.holder('one'), next.owner);
    },
  },
  {
    name: 'a lease that is not renewed in time is free, and its holder writes until another takes it',
    run: async (store) => {
      const clock = new Clock(NOW);
      try {
        const writer = await Writer.of(store);
        const { id, lease } = writer;
        clock.pass(LEASE_TIME - 1);
        assert.deepEqual(await store.holder(id), lease.owner);
        await store.renew(lease);
        clock.pass(2);
        assert.deepEqual(await store.holder(id), lease.owner);
        clock.pass(LEASE_TIME - 1);
        assert.equal(await store.holder(id), undefined);
        await writer.say('a');
        assert.deepEqual(await store.holder(id), lease.owner);
        clock.pass(LEASE_TIME);
        const second = await Writer.open(store, id);
        assert.ok(second.lease.fence > lease.fence);
        await refused(store.append(writer.next('b'), { lease }), 'session-lost');
        await second.say('c');
        assert.deepEqual(await textsOf(store, id), ['a', 'c']);
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'a clock that is set by hours neither frees a lease nor keeps it, where the platform names its boot',
    run: async (store) => {
      if (thisMoment().clock === undefined) return;
      for (const hours of [5, -5, 24 * 365, -24 * 365]) {
        const clock = new Clock(NOW);
        try {
          const { id, lease } = await Writer.of(store);
          clock.set(hours);
          assert.deepEqual(await store.holder(id), lease.owner);
          await refused(store.acquire(id, newOwner()), 'session-busy');
          clock.pass(LEASE_TIME - 1);
          assert.deepEqual(await store.holder(id), lease.owner);
          clock.pass(1);
          assert.equal(await store.holder(id), undefined);
          await store.renew(lease);
          clock.set(0);
          assert.deepEqual(await store.holder(id), lease.owner);
        } finally {
          clock.restore();
        }
      }
    },
  },
];
