import assert from 'node:assert/strict';
import { newOwner, type SessionStore } from '@toolfold/agent/internal/sessions';
import { addressOf, clientsOf, NOW, SessionWriter, type StoreCase, textsOf } from './writer.ts';

/** How often a case lets two clients meet. */
const ROUNDS = 20;

/** The code of the error with which work rejects. Undefined if it resolves. */
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: { readonly code?: unknown }) => error.code ?? error,
  );

/** The codes with which several clients end who do the same at the same time, sorted. */
async function codesOf(
  clients: readonly SessionStore[],
  work: (client: SessionStore, index: number) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const codes = await Promise.all(clients.map((client, index) => codeOf(work(client, index))));
  return codes.toSorted();
}

/** Cases about several clients at the same time. */
export const concurrentCases: readonly StoreCase[] = [
  {
    name: 'of several who create one id at once, one does, and the others are refused',
    run: async (store, tested = {}) => {
      const clients = await clientsOf(store, tested);
      const refusals = clients.slice(1).map(() => 'invalid-option');
      for (let round = 0; round < ROUNDS; round++) {
        const id = `one-${round}`;
        const codes = await codesOf(clients, (client) => client.create({ id, createdAt: NOW }));
        assert.deepEqual(codes, [...refusals, undefined]);
        const writers = await Promise.all(clients.map((client) => SessionWriter.of(client)));
        const appended = await codesOf(clients, async (_, index) => {
          const writer = writers[index];
          const entries = writer?.next('a') ?? [];
          await writer?.append(entries.map((entry) => ({ ...entry, id: `entry-${round}` })));
        });
        assert.deepEqual(appended, [...refusals, undefined]);
        const lengths = writers.map(async (one) => (await store.read(one.id)).length);
        assert.deepEqual((await Promise.all(lengths)).toSorted(), [...refusals.map(() => 0), 1]);
      }
    },
  },
  {
    name: 'of several who take a free lease at once, or append the same number, one does',
    run: async (store, tested = {}) => {
      const clients = await clientsOf(store, tested);
      for (let round = 0; round < ROUNDS; round++) {
        const { id, lease } = await SessionWriter.of(store);
        await store.release(lease);
        const codes = await codesOf(clients, (client) => client.acquire(id, newOwner()));
        assert.deepEqual(codes, [...clients.slice(1).map(() => 'session-busy'), undefined]);
        const held = await SessionWriter.of(store);
        const appended = await codesOf(clients, (client) =>
          client.append(held.next('a'), { lease: held.lease }),
        );
        assert.deepEqual(appended, [...clients.slice(1).map(() => 'session-lost'), undefined]);
        assert.deepEqual(await textsOf(store, held.id), ['a']);
      }
    },
  },
  {
    name: 'a fork that is made while its session is removed has all it shares, or is refused',
    run: async (store, tested = {}) => {
      const clients = await clientsOf(store, tested);
      for (let round = 0; round < ROUNDS; round++) {
        const [one, other] = [clients[round % 4] ?? store, clients[(round + 1) % 4] ?? store];
        const writer = await SessionWriter.of(store);
        const text = `text ${round}`;
        const texts = new Map([[addressOf(text), text]]);
        await writer.append(writer.next('a', 'b'), texts);
        const leaf = await writer.say('c');
        await store.release(writer.lease);
        const id = `fork-${round}`;
        const [forked, removed] = await Promise.all([
          codeOf(one.create({ id, createdAt: NOW, leaf: leaf.id })),
          other.remove(writer.id),
        ]);
        assert.equal(removed, true);
        assert.equal(await store.get(writer.id), undefined);
        if (forked === undefined) assert.deepEqual(await textsOf(store, id), ['a', 'b', 'c']);
        else assert.equal(forked, 'invalid-option');
        const kept = forked === undefined ? text : undefined;
        assert.equal(await store.text(addressOf(text)), kept);
        assert.equal((await store.get(id)) === undefined, forked !== undefined);
      }
    },
  },
  {
    name: 'a text that is given while the last other session with it is removed is kept',
    run: async (store, tested = {}) => {
      const [, one = store, other = store, third = store] = await clientsOf(store, tested);
      for (let round = 0; round < ROUNDS; round++) {
        const text = `text ${round}`;
        const texts = new Map([[addressOf(text), text]]);
        const old = await SessionWriter.of(store);
        await old.append(old.next('a'), texts);
        await store.release(old.lease);
        const [two, three] = [await SessionWriter.of(one), await SessionWriter.of(third)];
        const [removed] = await Promise.all([
          other.remove(old.id),
          two.append(two.next('b'), texts),
          three.append(three.next('c'), texts),
        ]);
        assert.equal(removed, true);
        assert.equal(await store.text(addressOf(text)), text);
      }
    },
  },
  {
    name: 'a session that is taken while it is removed is either held or gone',
    run: async (store, tested = {}) => {
      const [, one = store, other = store] = await clientsOf(store, tested);
      for (let round = 0; round < ROUNDS; round++) {
        const id = `one-${round}`;
        await store.create({ id, createdAt: NOW });
        const [taken, removed] = await Promise.all([
          codeOf(one.acquire(id, newOwner())),
          codeOf(other.remove(id)),
        ]);
        const isHeld = taken === undefined;
        assert.equal(taken, isHeld ? undefined : 'session-unknown');
        assert.equal(removed, isHeld ? 'session-busy' : undefined);
        assert.equal((await store.get(id)) !== undefined, isHeld);
      }
    },
  },
  {
    name: 'a message that is posted while its turn ends waits for the next holder, once',
    run: async (store, tested = {}) => {
      const [, one = store, other = store] = await clientsOf(store, tested);
      for (let round = 0; round < ROUNDS; round++) {
        const writer = await SessionWriter.of(one);
        const { id, lease } = writer;
        const message = { kind: 'cancel', body: {} } as const;
        await store.post(id, { id: 'taken', ...message });
        await Promise.all([
          writer.take('taken').then(() => one.release(lease)),
          other.post(id, { id: 'taken', ...message }),
          other.post(id, { id: 'new', ...message }),
        ]);
        const next = await SessionWriter.open(other, id);
        const { messages } = await other.look(next.lease);
        assert.deepEqual(
          messages.map((each) => each.id),
          ['new'],
        );
        await next.take('new');
        assert.deepEqual((await other.look(next.lease)).messages, []);
      }
    },
  },
];
