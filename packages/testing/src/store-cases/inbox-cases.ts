import assert from 'node:assert/strict';
import {
  type InboxMessage,
  LEASE_TIME,
  type Lease,
  newOwner,
  type SessionStore,
  thisMoment,
} from '@toolfold/agent/internal/sessions';
import {
  acquireGone,
  NOW,
  newClock,
  refused,
  SessionWriter,
  type StoreCase,
  textsOf,
} from './writer.ts';

/** Cases about leases. */
export const leaseCases: readonly StoreCase[] = [
  {
    name: 'a lease that is held is refused to others, who are told its holder',
    run: async (store) => {
      const { id, lease } = await SessionWriter.of(store);
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
      const writer = await SessionWriter.of(store);
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
    name: 'what is asked at once for several leases, also of one session, is answered to each',
    run: async (store) => {
      const { id, lease } = await SessionWriter.of(store);
      const present = await store.acquire(id, lease.owner);
      const other = await SessionWriter.of(store);
      await store.post(id, { id: 'a', kind: 'cancel', body: {} });
      const look = (one: Lease): Promise<unknown> => store.look(one);
      for (const work of [look, (one: Lease) => store.renew(one)]) {
        const leases = [lease, present, other.lease, present];
        const done = await Promise.allSettled(leases.map((one) => work(one)));
        assert.deepEqual(
          done.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code)),
          ['session-lost', 'done', 'done', 'done'],
        );
      }
      const looked = await Promise.all([present, other.lease].map((one) => store.look(one)));
      assert.deepEqual(
        looked.map(({ messages }) => messages.length),
        [1, 0],
      );
    },
  },
  {
    name: 'a lease of an owner that is gone is free at once',
    run: async (store, { acquireGone: acquire = acquireGone } = {}) => {
      await store.create({ id: 'one', createdAt: NOW });
      const lost = await acquire(store, 'one');
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
    run: async (store, { clock: clockOf = newClock } = {}) => {
      const clock = clockOf();
      try {
        const writer = await SessionWriter.of(store);
        const { id, lease } = writer;
        await clock.pass(LEASE_TIME - clock.slack);
        assert.deepEqual(await store.holder(id), lease.owner);
        await store.renew(lease);
        await clock.pass(2 * clock.slack);
        assert.deepEqual(await store.holder(id), lease.owner);
        await clock.pass(LEASE_TIME - clock.slack);
        assert.equal(await store.holder(id), undefined);
        await writer.say('a');
        assert.deepEqual(await store.holder(id), lease.owner);
        await clock.pass(LEASE_TIME);
        const second = await SessionWriter.open(store, id);
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
    run: async (store, { clock: clockOf = newClock } = {}) => {
      if (thisMoment().clock === undefined) return;
      for (const hours of [5, -5, 24 * 365, -24 * 365]) {
        const clock = clockOf();
        try {
          const { id, lease } = await SessionWriter.of(store);
          clock.set(hours);
          assert.deepEqual(await store.holder(id), lease.owner);
          await refused(store.acquire(id, newOwner()), 'session-busy');
          await clock.pass(LEASE_TIME - clock.slack);
          assert.deepEqual(await store.holder(id), lease.owner);
          await clock.pass(clock.slack);
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

/** The messages that wait, without their times. */
async function waiting(store: SessionStore, lease: Lease): Promise<readonly InboxMessage[]> {
  const { messages } = await store.look(lease);
  return messages.map(({ id, kind, body }) => ({ id, kind, body }));
}

/** Cases about messages to the holder. */
export const inboxCases: readonly StoreCase[] = [
  {
    name: 'messages wait in order until an entry takes them, and are never stored again',
    run: async (store) => {
      const writer = await SessionWriter.of(store);
      const { id, lease } = writer;
      assert.deepEqual(await waiting(store, lease), []);
      const answer = { id: 'b', kind: 'answer', body: { approve: true } } as const;
      const cancel = { id: 'a', kind: 'cancel', body: {} } as const;
      await store.post(id, answer);
      await store.post(id, cancel);
      await store.post(id, { ...answer, body: { approve: false } });
      for (let time = 0; time < 2; time++)
        assert.deepEqual(await waiting(store, lease), [answer, cancel]);
      await writer.take('b');
      assert.deepEqual(await waiting(store, lease), [cancel]);
      await store.post(id, answer);
      await writer.take('a', 'none');
      assert.deepEqual(await waiting(store, lease), []);
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
      const one = await SessionWriter.open(store, 'one');
      assert.deepEqual(await waiting(store, one.lease), [message]);
      await one.take('a');
      await store.release(one.lease);
      await refused(store.look(one.lease), 'session-lost');
      const lease = await store.acquire('two', newOwner());
      assert.deepEqual(await waiting(store, lease), [message]);
    },
  },
  {
    name: 'a message that a refused append names still waits',
    run: async (store) => {
      const writer = await SessionWriter.of(store);
      const { id, lease } = writer;
      await store.post(id, { id: 'a', kind: 'cancel', body: {} });
      const [, second] = writer.next('a', 'b');
      assert.ok(second);
      await refused(store.append([second], { lease, taken: ['a'] }), 'session-lost');
      const next = await store.acquire(id, lease.owner);
      await refused(writer.take('a'), 'session-lost');
      assert.equal((await waiting(store, next)).length, 1);
    },
  },
  {
    name: 'messages of the user keep their order and texts, and wait until the entry that takes them is there, also for another holder',
    run: async (store) => {
      const writer = await SessionWriter.of(store);
      const { id, lease } = writer;
      const texts = ['No, wait.', 'Zażółć 🦑\u2028\n"quoted" \\ \u0000', 'x'.repeat(100_000)];
      const words = texts.map((text, at) => ({
        ...{ id: `w${9 - at}`, kind: 'user' as const },
        body: { text, when: at === 1 ? 'after' : 'now' },
      }));
      for (const word of words) await store.post(id, word);
      // A look takes nothing: the holder may end before its entry is written.
      for (let time = 0; time < 2; time++) assert.deepEqual(await waiting(store, lease), words);
      await store.release(lease);
      const next = await SessionWriter.open(store, id);
      assert.deepEqual(await waiting(store, next.lease), words);
      await next.take('w8');
      await store.post(id, { ...(words[1] ?? assert.fail()), body: { text: 'b', when: 'now' } });
      await store.release(next.lease);
      const last = await SessionWriter.open(store, id);
      assert.deepEqual(await waiting(store, last.lease), [words[0], words[2]]);
      // Two are taken in one step, with the entries that say them.
      const [first, second] = last.next('a', 'b');
      assert.ok(first && second);
      await store.append([first, second], { lease: last.lease, taken: ['w9', 'w7'] });
      assert.deepEqual(await waiting(store, last.lease), []);
    },
  },
  {
    name: 'the time of a message is after each entry of the session and of its subagents, whatever the clock',
    run: async (store) => {
      const { now } = Date;
      try {
        const writer = await SessionWriter.of(store, { id: 'one' });
        await SessionWriter.of(store, { id: 'child', parent: 'one' });
        const grandchild = await SessionWriter.of(store, { id: 'grandchild', parent: 'child' });
        const times = async () => (await store.look(writer.lease)).messages.map(({ at }) => at);
        Date.now = () => NOW - 3_600_000;
        await store.post('one', { id: 'a', kind: 'cancel', body: {} });
        const { at } = await grandchild.say('a', 'b');
        await store.post('one', { id: 'b', kind: 'cancel', body: {} });
        Date.now = () => NOW + 3_600_000;
        await store.post('one', { id: 'c', kind: 'cancel', body: {} });
        assert.deepEqual(await times(), [NOW + 1, at + 1, NOW + 3_600_000]);
      } finally {
        Date.now = now;
      }
    },
  },
];
