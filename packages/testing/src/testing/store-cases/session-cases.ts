import assert from 'node:assert/strict';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import type { StoreCase } from './store-case.ts';
import { NOW, refused, Writer } from './writer.ts';

const ids = async (list: ReturnType<SessionStore['list']>) => (await list).map(({ id }) => id);

/** Cases about sessions. */
export const sessionCases: readonly StoreCase[] = [
  {
    name: 'a session that was created is found with all it was given',
    run: async (store) => {
      const given = { id: 'one', createdAt: NOW, title: 'A title', folder: '/a', forkOf: 'zero' };
      await store.create(given);
      const expected = { ...given, leaf: null, seq: 0, changedAt: NOW };
      assert.deepEqual(await store.get('one'), expected);
      assert.deepEqual(await store.list(), [expected]);
      assert.equal(await store.get('two'), undefined);
      await store.create({ id: 'two', createdAt: NOW, parent: 'one' });
      const child = {
        id: 'two',
        createdAt: NOW,
        parent: 'one',
        leaf: null,
        seq: 0,
        changedAt: NOW,
      };
      assert.deepEqual(await store.get('two'), child);
    },
  },
  {
    name: 'a title that is hard to keep comes back well-formed, or is refused for good',
    run: async (store) => {
      for (const [index, title] of ['a\u0000b', 'a\ud800b', '', ' ', '\u202e'].entries()) {
        const id = `odd-${index}`;
        const failure = await store.create({ id, createdAt: NOW, title }).then(
          () => undefined,
          (error: unknown) => error,
        );
        const kept = await store.get(id);
        if (failure === undefined) assert.equal(kept?.title, title.toWellFormed());
        else await refused(Promise.reject(failure), 'invalid-option');
        assert.equal(kept === undefined, failure !== undefined);
      }
    },
  },
  {
    name: 'an id that is taken is refused, and changes nothing',
    run: async (store) => {
      const { id } = await Writer.of(store, { title: 'first' });
      await refused(store.create({ id, createdAt: NOW, title: 'second' }), 'invalid-option');
      assert.equal((await store.get(id))?.title, 'first');
    },
  },
  {
    name: 'a leaf that is not there is refused',
    run: async (store) => {
      await refused(store.create({ id: 'a', createdAt: NOW, leaf: 'none' }), 'invalid-option');
      assert.equal(await store.get('a'), undefined);
    },
  },
  {
    name: 'a list begins with the newest change, by folder, by parent and by number',
    run: async (store) => {
      const old = await Writer.of(store, { id: 'old', folder: '/a' });
      await store.create({ id: 'new', createdAt: NOW + 1, folder: '/b' });
      await store.create({ id: 'same', createdAt: NOW + 1, folder: '/a' });
      await store.create({ id: 'child', createdAt: NOW, parent: 'old', folder: '/a' });
      assert.deepEqual(await ids(store.list()), ['same', 'new', 'old']);
      await old.say('a', 'b');
      assert.deepEqual(await ids(store.list()), ['old', 'same', 'new']);
      assert.equal((await store.get('old'))?.changedAt, NOW + 2);
      assert.deepEqual(await ids(store.list({ folder: '/a' })), ['old', 'same']);
      assert.deepEqual(await ids(store.list({ parent: 'old' })), ['child']);
      assert.deepEqual(await ids(store.list({ parent: 'old', folder: '/b' })), []);
      assert.deepEqual(await ids(store.list({ limit: 1 })), ['old']);
      assert.deepEqual(await ids(store.list({ limit: 0 })), []);
    },
  },
  {
    name: 'a session gets a new title, and its time of change stays',
    run: async (store) => {
      const { id } = await Writer.of(store, { title: 'a' });
      await store.rename(id, 'b');
      assert.equal((await store.get(id))?.title, 'b');
      assert.equal((await store.get(id))?.changedAt, NOW);
      await refused(store.rename('none', 'b'), 'session-unknown');
    },
  },
  {
    name: 'no session is below itself, neither at once nor through others',
    run: async (store) => {
      await refused(store.create({ id: 'a', createdAt: NOW, parent: 'a' }), 'invalid-option');
      await store.create({ id: 'a', createdAt: NOW, parent: 'c' });
      await store.create({ id: 'b', createdAt: NOW, parent: 'a' });
      await refused(store.create({ id: 'c', createdAt: NOW, parent: 'b' }), 'invalid-option');
      assert.equal(await store.get('c'), undefined);
    },
  },
];
